internal import CIECard
internal import Primitives

/// The redacted form of a conversation with a person's card: its shape, never its contents.
///
/// For a command, the four header bytes and the number of bytes after them; for an answer, the
/// status word, the number of bytes before it, and the duration. In this application the header
/// never carries personal data; everything else may, protected or not.
enum DiagnosticRecord {
  /// Key of the first line: no trace has it, so a record cannot be mistaken for one.
  static let key = "diagnostic"

  /// The lines before the first command.
  static func header(_ traits: ChannelTraits) -> [String] {
    [
      "\(key): headers, lengths, status words and times of a conversation; no contents",
      "atr: \(traits.atr.hexadecimal)",
      "extended: \(traits.extendedLength.traceText)",
      "",
    ]
  }

  static func line(command: [UInt8]) -> String {
    "> \([UInt8](command.prefix(4)).hexadecimal) +\(max(command.count - 4, 0))"
  }

  static func line(answer: [UInt8], after duration: Duration) -> String {
    "< \([UInt8](answer.suffix(2)).hexadecimal) +\(max(answer.count - 2, 0)) \(milliseconds(duration))"
  }

  static let powerCycle = Trace.Entry.powerCycleText

  /// The line of an error in place of an answer.
  static func line(error: ChannelError, after duration: Duration) -> String {
    "! \(Trace.Event(error)?.text ?? "channel-error") \(milliseconds(duration))"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
