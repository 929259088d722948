internal import CIECard

/// A syntax error in a trace, at the first line that is wrong.
public struct TraceError: Error, Sendable, Equatable {
  /// The line, counted from 1.
  public let line: Int
  /// The kind of error.
  public let kind: Kind

  package init(line: Int, _ kind: Kind) {
    self.line = line
    self.kind = kind
  }

  /// The errors that a line can have.
  public enum Kind: Sendable, Equatable {
    case notText
    /// A control character, a carriage return among them.
    case controlCharacter
    /// A space or nothing at the end of a line that needs a value, or a space too many.
    case spacing
    /// A line, or the whole trace, is longer than any that is written.
    case tooLong
    /// The last line has no line end.
    case missingFinalNewline
    /// A header line that is not `key: value`.
    case notAHeaderLine
    /// This is a redacted diagnostic record: it holds no bytes to replay.
    case diagnosticRecord
    case unknownKey(String)
    /// A key that may occur once occurs again.
    case duplicateKey(String)
    /// A key that stands after one that comes later in the format.
    case keyOutOfOrder(String)
    case missingKey(String)
    /// A key that does not belong to this source, journey or outcome.
    case misplacedKey(String)
    /// A value that its key does not allow.
    case badValue(key: String)
    /// The header is not followed by an empty line.
    case missingEntries
    /// A line of the conversation that begins with none of `# `, `> `, `< `, `! `.
    case notAnEntry
    /// An odd number of digits, lower case, or a character that is not a hexadecimal digit.
    case badHex
    /// A command of fewer than four bytes.
    case shortCommand
    /// An answer of fewer than two bytes.
    case shortAnswer
    case unknownEvent
    /// An answer or event without a command before it.
    case answerWithoutCommand
    /// A command after which neither answer nor event comes.
    case commandWithoutAnswer
    case emptyConversation
  }
}
