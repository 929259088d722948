import Arguments
import CIECard
import CardWork
import Primitives

/// The receiver's challenge: its digits, or a file of them.
struct ChallengeChoice: Sendable {
  private let bytes: [UInt8]?
  private let file: String?
  /// The challenge that the card before answered, where one run has several cards.
  private let used: Lock<[UInt8]?>?

  init(from inputs: inout Inputs) throws(Failure) {
    bytes = try inputs.text(
      "challenge", help: "option.challenge", value: "hex",
      http: Offer(
        "The receiver's challenge, in hexadecimal digits: 16 to 64 bytes with evidence.",
        .text(pattern: "^([0-9A-Fa-f]{2}){8,102}$"))
    ) { (text, _) throws(Failure) in try Self.bytes(of: text) }
    file = try Self.file(from: &inputs, help: "option.challenge-file")
    used = nil
  }

  /// The challenges of many cards, from a file that is read anew for each of them.
  init(ofMany inputs: inout Inputs) throws(Failure) {
    bytes = nil
    file = try Self.file(from: &inputs, help: "option.watch.challenge-file")
    used = Lock(nil)
  }

  private static func file(
    from inputs: inout Inputs, help: String
  ) throws(Failure) -> String? {
    try inputs.text("challenge-file", help: help, value: "file", completion: .file())
  }

  /// None.
  init() { (bytes, file, used) = (nil, nil, nil) }

  var isGiven: Bool { bytes != nil || file != nil }

  /// True if standard input holds it.
  var isStandardInput: Bool { file == "-" }

  /// The challenge, 8 to 102 bytes.
  ///
  /// - Throws: if its file is anything but the digits of `--challenge` between white space, or the card before has answered it.
  func value(in context: RunContext) throws(Failure) -> [UInt8]? {
    guard let file else { return bytes }
    guard bytes == nil else { throw .usage("several-challenges") }
    let text = try InputFile.read(file, limit: 4096, context.interruption)
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1 else { throw .usage("bad-challenge") }
    let challenge = try Self.bytes(of: String(words[0]))
    guard used?.withLock({ $0 != challenge }) ?? true else { throw .usage("challenge-used") }
    return challenge
  }

  /// Notes that a card has answered it.
  func use(_ challenge: [UInt8]) { used?.withLock { $0 = challenge } }

  private static func bytes(of text: String) throws(Failure) -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
      throw .usage("bad-challenge")
    }
    return bytes
  }
}
