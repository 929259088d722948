import VirtualCIE

internal import Glibc
internal import Primitives

/// A file with a line for each command that a card received: header, status word, and the card's counters since it was
/// made; never data.
///
/// `20 00 81 secured 63C2 verifications=1 signatures=0 tries=2`
struct CardDiary: Sendable {
  private let file: FileDescriptor

  init(path: String) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(errno) }
    file = FileDescriptor(number)
  }

  /// Records the last command. Write errors do not stop the card.
  func note(_ card: VirtualCard) {
    let log = card.log
    guard let entry = log.entries.last else { return }
    let word = [UInt8(entry.statusWord >> 8), UInt8(entry.statusWord & 0xFF)].hexadecimal
    let words =
      [entry.instruction, entry.p1, entry.p2].map { [$0].hexadecimal } + [
        entry.isSecured ? "secured" : "plain", word,
        "verifications=\(log.counters.verifications)",
        "signatures=\(log.counters.holderSignatures)", "tries=\(card.triesLeft.pin)",
      ]
    try? file.writeAll([UInt8]("\(words.joined(separator: " "))\n".utf8))
  }
}
