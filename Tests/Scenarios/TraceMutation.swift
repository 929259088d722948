import CIECard
package import Traces

/// One change to the answer of one exchange, possible for an attacker on the wire.
package enum TraceMutation: Equatable, Sendable {
  /// One bit of one byte is flipped; bytes counted from 1, from the end when negative.
  case flip(byte: Int)
  /// Only the status word remains: secure messaging is stripped.
  case strip
  /// Only the first bytes remain.
  case cut(length: Int)
  /// The previous answer is repeated.
  case duplicate

  package enum Failure: Error, Equatable, CustomStringConvertible {
    case noSuchExchange(Int)
    case noSuchByte(Int)
    case noAnswer(Int)
    case changesNothing
    case leavesTheTrace(String)
    case endsOtherwise(expected: String, got: String)

    package var description: String {
      switch self {
      case .noSuchExchange(let number): "the trace has no exchange \(number)"
      case .noSuchByte(let byte): "the answer has no byte \(byte)"
      case .noAnswer(let number): "exchange \(number) has no answer"
      case .changesNothing: "the change changes nothing"
      case .leavesTheTrace(let name): "\(name): the client goes on as nobody recorded it"
      case .endsOtherwise(let expected, let got): "expected \(expected), but it ends in \(got)"
      }
    }
  }

  /// Makes the change in the n-th exchange, from 1.
  package func apply(to entries: [Trace.Entry], exchange number: Int) throws(Failure) -> [Trace
    .Entry]
  {
    let outcomes = entries.indices.filter { entries[$0].isOutcome }
    guard number > 0, let index = outcomes.dropFirst(number - 1).first else {
      throw .noSuchExchange(number)
    }
    guard case .answer(let answer) = entries[index] else { throw .noAnswer(number) }
    var earlier: [UInt8]?
    if let before = outcomes.last(where: { $0 < index }), case .answer(let bytes) = entries[before]
    {
      earlier = bytes
    }
    let changed = try changed(answer, earlier: earlier, exchange: number)
    return entries.prefix(upTo: index) + [.answer(changed)] + entries.suffix(from: index + 1)
  }

  /// The changed answer.
  ///
  /// - Parameters:
  ///   - earlier: the answer before it.
  ///   - number: the exchange, from 1.
  func changed(
    _ answer: [UInt8], earlier: [UInt8]?, exchange number: Int
  ) throws(Failure) -> [UInt8] {
    let changed = try change(answer, earlier: earlier, exchange: number)
    guard changed != answer else { throw .changesNothing }
    return changed
  }

  private func change(
    _ answer: [UInt8], earlier: [UInt8]?, exchange number: Int
  ) throws(Failure) -> [UInt8] {
    switch self {
    case .flip(let byte):
      let index = byte > 0 ? byte - 1 : answer.count + byte
      guard byte != 0, answer.indices.contains(index) else { throw .noSuchByte(byte) }
      var changed = answer
      changed[index] ^= 0x01
      return changed
    case .strip: return [UInt8](answer.suffix(2))
    case .cut(let length):
      guard length >= 2 else { throw .noSuchByte(length) }
      return [UInt8](answer.prefix(length))
    case .duplicate:
      guard let earlier else { throw .noAnswer(number - 1) }
      return earlier
    }
  }
}

extension TraceMutation {
  /// Runs the journey of a good trace again with the change, as far as the client continues.
  ///
  /// - Parameter header: title, provenance and fault of the new trace.
  package func record(_ header: Trace.Header, on good: Trace, exchange: Int) throws -> Trace {
    let changed = Trace(
      header: good.header, entries: try apply(to: good.entries, exchange: exchange))
    let trace = try TraceRecording.record(
      header, over: ReplayChannel(changed), random: ReplayRandom(changed))
    // The client must have met the change, and must not have sent a command that was never recorded.
    guard trace.entries.filter(\.isOutcome).count >= exchange,
      !trace.header.expectation.outcome.text.hasPrefix("channel-replay-mismatch")
    else { throw Failure.leavesTheTrace(header.title) }
    return trace
  }
}

extension Trace.Entry {
  /// True if it ends an exchange.
  fileprivate var isOutcome: Bool {
    switch self {
    case .answer, .event: true
    case .comment, .command, .powerCycle: false
    }
  }
}

extension TraceMutation: CustomStringConvertible {
  /// The text form: `flip=-3`, `strip`, `cut=20`, `duplicate`.
  package init?(text: String) {
    let words = text.split(separator: "=", omittingEmptySubsequences: false)
    let number = words.count == 2 ? Int(words[1]) : nil
    switch (words.first, words.count, number) {
    case ("flip", 2, let byte?): self = .flip(byte: byte)
    case ("strip", 1, _): self = .strip
    case ("cut", 2, let length?): self = .cut(length: length)
    case ("duplicate", 1, _): self = .duplicate
    default: return nil
    }
  }

  package var description: String {
    switch self {
    case .flip(let byte): "flip=\(byte)"
    case .strip: "strip"
    case .cut(let length): "cut=\(length)"
    case .duplicate: "duplicate"
    }
  }
}
