public import Primitives

extension Diagnosis {
  /// A text that is no trace.
  public init(_ error: TraceError) {
    switch error.kind {
    case .diagnosticRecord: self.init(.usage, "trace-malformed", key: "trace-is-log")
    case .notText, .controlCharacter, .spacing, .tooLong, .missingFinalNewline:
      self = .trace(error, Message("trace.text"))
    case .notAHeaderLine, .missingEntries: self = .trace(error, Message("trace.header"))
    case .unknownKey(let key), .duplicateKey(let key), .keyOutOfOrder(let key),
      .missingKey(let key), .misplacedKey(let key), .badValue(let key):
      self = .trace(error, Message("trace.key", ["name": key]))
    case .notAnEntry, .badHex, .shortCommand, .shortAnswer, .unknownEvent,
      .answerWithoutCommand, .commandWithoutAnswer, .emptyConversation:
      self = .trace(error, Message("trace.conversation"))
    }
  }

  private static func trace(_ error: TraceError, _ fault: Message) -> Diagnosis {
    Diagnosis(.usage, "trace-malformed", ["line": error.line, "fault": fault])
  }
}

extension TraceError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
