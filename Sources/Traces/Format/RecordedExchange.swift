package import CIECard

/// A command of a trace or a log, with its answer. A log has headers, lengths and status words only.
package struct RecordedExchange: Sendable, Equatable {
  /// The line of the command, counted from 1.
  package var line: Int
  /// The remark above it: the step of the journey, or the question of a survey.
  package var step: String?
  /// CLA, INS, P1 and P2; empty for a power cycle.
  package var header: [UInt8] = []
  /// Number of bytes after the header.
  package var sent = 0
  /// The whole command; nil in a log, and of a power cycle.
  package var command: [UInt8]?
  package var outcome = Outcome.powerCycle
  /// The whole answer; nil in a log, and without an answer.
  package var answer: [UInt8]?
  /// The error of the channel in place of an answer; nil in a log, and with an answer.
  var error: ChannelError?
  /// Duration; nil in a trace.
  package var milliseconds: Int?

  /// The end of an exchange.
  package enum Outcome: Sendable, Equatable {
    /// An answer, with the number of bytes before its status word.
    case answer(StatusWord, received: Int)
    /// An error of the channel, in the words of the format.
    case event(String)
    /// No command: the card was without power for a moment, or contacted again.
    case powerCycle
  }

  /// True under secure messaging: CLA bits 4 and 3 (ISO/IEC 7816-4 table 2).
  package var isProtected: Bool { header.first.map { $0 & 0x0C != 0 } ?? false }

  /// True if the command continues: CLA bit 5.
  package var isChained: Bool { header.first.map { $0 & 0x10 != 0 } ?? false }

  /// The status word and the number of bytes before it, if there was an answer.
  package var reply: (status: StatusWord, received: Int)? {
    if case .answer(let status, let received) = outcome { (status, received) } else { nil }
  }
}

extension Trace {
  /// The exchanges with their steps, in order.
  package var exchanges: [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    var step: String?
    for (index, entry) in entries.enumerated() {
      let line = firstEntryLine + index
      switch entry {
      case .comment(let text): step = text
      case .powerCycle: exchanges.append(RecordedExchange(line: line, step: step))
      case .command(let bytes):
        exchanges.append(
          RecordedExchange(
            line: line, step: step, header: [UInt8](bytes.prefix(4)), sent: bytes.count - 4,
            command: bytes))
      case .answer(let bytes):
        guard let last = exchanges.indices.last else { continue }
        exchanges[last].answer = bytes
        exchanges[last].outcome = .answer(StatusWord(ending: bytes), received: bytes.count - 2)
      case .event(let event):
        guard let last = exchanges.indices.last else { continue }
        exchanges[last].outcome = .event(event.text)
        exchanges[last].error = event.error
      }
    }
    return exchanges
  }
}

extension StatusWord {
  /// The last two bytes of an answer.
  init(ending answer: [UInt8]) {
    self.init(rawValue: answer.suffix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
  }
}
