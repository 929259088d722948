internal import CIECard
internal import Primitives

extension Trace.Entry {
  /// Parses one line of the conversation: a mark, a space, and the value for that mark.
  init(line: Int, text: String) throws(TraceError) {
    guard text != Self.powerCycleText else {
      self = .powerCycle
      return
    }
    let (mark, rest) = (text.prefix(2), text.dropFirst(2))
    guard !rest.isEmpty else { throw TraceError(line: line, .notAnEntry) }
    switch mark {
    case "# ":
      guard rest.first != " " else { throw TraceError(line: line, .spacing) }
      self = .comment(String(rest))
    case "> ":
      let bytes = try Self.bytes(rest, line: line)
      guard bytes.count >= 4 else { throw TraceError(line: line, .shortCommand) }
      self = .command(bytes)
    case "< ":
      let bytes = try Self.bytes(rest, line: line)
      guard bytes.count >= 2 else { throw TraceError(line: line, .shortAnswer) }
      self = .answer(bytes)
    case "! ":
      guard let event = Trace.Event(text: rest) else {
        throw TraceError(line: line, .unknownEvent)
      }
      self = .event(event)
    default:
      throw TraceError(line: line, .notAnEntry)
    }
  }

  /// The line without its end.
  var text: String {
    switch self {
    case .comment(let text): "# \(text)"
    case .command(let bytes): "> \(bytes.hexadecimal)"
    case .answer(let bytes): "< \(bytes.hexadecimal)"
    case .event(let event): "! \(event.text)"
    case .powerCycle: Self.powerCycleText
    }
  }

  static let powerCycleText = "~ power-cycle"

  private static func bytes(_ text: Substring, line: Int) throws(TraceError) -> [UInt8] {
    guard let bytes = [UInt8](canonicalHexadecimal: text) else {
      throw TraceError(line: line, .badHex)
    }
    return bytes
  }
}

extension Array where Element == UInt8 {
  /// Decodes hexadecimal text in its one canonical spelling: capital letters, no separators.
  ///
  /// - Returns: `nil` for any other spelling, so that writing reproduces the text that was read.
  init?(canonicalHexadecimal text: some StringProtocol) {
    self.init(hexadecimal: text)
    guard hexadecimal == text else { return nil }
  }
}
