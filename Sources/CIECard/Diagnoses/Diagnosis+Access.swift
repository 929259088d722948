public import Primitives

/// Keys to the travel document, and reasons why it stays closed.
extension Diagnosis {
  static func wrongAccess(_ kind: AccessCode.Kind, _ tries: Int?) -> Diagnosis {
    let name = "wrong-\(kind.rawValue)"
    let advice = Message("wrong-access.\(kind.rawValue).do")
    guard let tries else {
      return Diagnosis(
        .wrongCode, name, ["code": kind.text], key: "wrong-access", advice: advice)
    }
    return Diagnosis(
      .wrongCode, name, ["code": kind.text, "count": tries], key: "wrong-access-tries",
      advice: advice)
  }

  /// The last step of PACE failed without naming the cause.
  static func refusedAccess(_ kind: AccessCode.Kind, _ status: StatusWord) -> Diagnosis {
    Diagnosis(
      .wrongCode, "access-refused", ["code": kind.text, "status": status],
      advice: Message(kind.isBlocking ? "access-refused-tries.do" : "access-refused-code.do"))
  }
}

extension AccessCode.Kind {
  /// In the middle of a sentence.
  var text: Message { Message("access.\(rawValue)") }
}

extension Diagnosis {
  /// A PIN, PUK or CAN that has another form than the card requires.
  public init(_ error: AccessCode.FormatError) {
    let advice = Message("nothing-sent.do")
    switch error {
    case .length(let length):
      self.init(.usage, "access-code-length", ["length": length], advice: advice)
    case .notDigits: self.init(.usage, "access-code-not-digits", advice: advice)
    }
  }
}

extension AccessCode.FormatError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
