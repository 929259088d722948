public import Primitives

extension Diagnosis {
  /// A text that is no trace.
  public init(_ error: TraceError) {
    self =
      error.kind == .diagnosticRecord
      ? Diagnosis(.usage, "trace-malformed", key: "trace-is-log")
      : Diagnosis(.usage, "trace-malformed", ["line": error.line, "fault": error.fault])
  }
}

extension TraceError {
  /// The fault in words.
  package var fault: Message {
    switch kind {
    case .notText, .controlCharacter, .spacing, .tooLong, .missingFinalNewline:
      Message("trace.text")
    case .diagnosticRecord, .notAHeaderLine, .missingEntries: Message("trace.header")
    case .unknownKey(let key), .duplicateKey(let key), .keyOutOfOrder(let key),
      .missingKey(let key), .misplacedKey(let key), .badValue(let key):
      Message("trace.key", ["name": key])
    case .notAnEntry, .badHex, .shortCommand, .shortAnswer, .unknownEvent,
      .answerWithoutCommand, .commandWithoutAnswer, .emptyConversation:
      Message("trace.conversation")
    }
  }
}

extension TraceError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
