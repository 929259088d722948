internal import CIECard

/// Why a text is no trace: one error, at the first line that is wrong.
public struct TraceError: Error, Sendable, Equatable {
  /// The line, counted from 1.
  public let line: Int
  /// What is wrong there.
  public let kind: Kind

  init(line: Int, _ kind: Kind) {
    self.line = line
    self.kind = kind
  }

  /// What can be wrong with a line.
  public enum Kind: Sendable, Equatable {
    /// The bytes are not UTF-8.
    case notText
    /// A control character, a carriage return among them.
    case controlCharacter
    /// A space or nothing at the end of a line that needs a value, or a space too many.
    case spacing
    /// The last line has no line end.
    case missingFinalNewline
    /// A header line that is not `key: value`.
    case notAHeaderLine
    /// This is a redacted diagnostic record: it holds no bytes to replay.
    case diagnosticRecord
    /// A key that the format does not have.
    case unknownKey(String)
    /// A key that may stand once stands again.
    case duplicateKey(String)
    /// A key that stands after one that comes later in the format.
    case keyOutOfOrder(String)
    /// A key that this trace must have.
    case missingKey(String)
    /// A key that does not belong to this source, journey or outcome.
    case misplacedKey(String)
    /// A value that its key does not allow.
    case badValue(key: String)
    /// The header is not followed by an empty line.
    case missingEntries
    /// A line of the conversation that begins with none of `# `, `> `, `< `, `! `.
    case notAnEntry
    /// Odd, small or foreign digits.
    case badHex
    /// A command of fewer than four bytes.
    case shortCommand
    /// An answer of fewer than two bytes.
    case shortAnswer
    /// An event that is not known.
    case unknownEvent
    /// An answer or event without a command before it.
    case answerWithoutCommand
    /// A command after which neither answer nor event comes.
    case commandWithoutAnswer
    /// No command at all.
    case emptyConversation
  }
}
