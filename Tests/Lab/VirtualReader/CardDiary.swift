import VirtualCIE

internal import Glibc
internal import Primitives

/// A file to which lines of words are appended. Write errors do not stop the card.
struct LineFile: Sendable {
  private let file: FileDescriptor

  init(path: String) throws(LabError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw LabError("\(path): \(SystemError(errno).message)") }
    file = FileDescriptor(number)
  }

  fileprivate func append(_ words: [String]) {
    try? file.writeAll([UInt8](words.joined(separator: " ").utf8) + [0x0A])
  }
}

/// A line for each command that a card received: header, status word, and the card's counters since it was made; never
/// data.
///
/// `20 00 81 secured 63C2 verifications=1 signatures=0 tries=2`
struct CardDiary: Sendable {
  let file: LineFile

  /// Records the last command.
  func note(_ card: VirtualCard) {
    let log = card.log
    guard let entry = log.entries.last else { return }
    let word = [UInt8(entry.statusWord >> 8), UInt8(entry.statusWord & 0xFF)].hexadecimal
    file.append(
      [entry.instruction, entry.p1, entry.p2].map { [$0].hexadecimal } + [
        entry.isSecured ? "secured" : "plain", word,
        "verifications=\(log.counters.verifications)",
        "signatures=\(log.counters.holderSignatures)", "tries=\(card.triesLeft.pin)",
      ])
  }
}

/// The times of a card, for measurements: of its placement, of the end of power-on, and of the beginning and end of each
/// command. In nanoseconds of CLOCK_MONOTONIC, which other programs of the machine read too.
///
/// `command 81273645123 81273649456`
struct CardTimes: Sendable {
  let file: LineFile

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  func note(_ event: String) { file.append([event, String(Self.now)]) }

  /// The same card, with the times of its commands recorded.
  func noting(_ card: CardInReader) -> CardInReader {
    CardInReader(
      answerToReset: card.answerToReset, reset: card.reset,
      respond: { command in
        let begin = Self.now
        defer { file.append(["command", String(begin), String(Self.now)]) }
        return card.respond(command)
      }, powerOn: card.powerOn)
  }
}
