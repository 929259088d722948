public import Primitives

extension Diagnosis {
  package init(_ error: LocalLock.Failure) {
    switch error {
    case .length(let digits): self.init(.usage, "local-code-length", ["digits": digits])
    case .weak(.sameDigits): self.init(.usage, "local-code-weak", key: "local-code-weak-same")
    case .weak(.consecutiveDigits):
      self.init(.usage, "local-code-weak", key: "local-code-weak-consecutive")
    case .unchanged: self.init(.usage, "local-code-unchanged")
    case .entriesDiffer: self.init(.usage, "local-code-entries-differ")
    case .alreadySet: self.init(.usage, "local-code-already-set")
    case .notSet: self.init(.usage, "local-code-not-set")
    case .wrong(let triesLeft):
      self.init(.wrongCode, "local-code-wrong", ["count": triesLeft])
      self.triesLeft = triesLeft
    case .exhausted:
      self.init(.blocked, "local-code-exhausted")
      triesLeft = 0
    case .locked: self.init(.blocked, "session-locked")
    case .sessionNotEnded: self.init(.internalFailure, "session-not-removed")
    case .malformed: self.init(.usage, "local-code-malformed")
    case .folder(let folder): self.init(folder.failure)
    case .crypto(let error): self.init(error)
    }
  }

  /// - Parameter advice: what to do about a folder that is not as it should be.
  package init(_ failure: PrivateFolder.Failure, advice: Message = Message("state.do")) {
    switch failure {
    case .notPlain: self.init(.usage, "state-not-plain", advice: advice)
    case .foreignOwner: self.init(.usage, "state-of-another-user", advice: advice)
    case .exposed: self.init(.usage, "state-exposed", advice: advice)
    case .tooLarge: self.init(.usage, "state-too-large", advice: advice)
    case .busy: self.init(.internalFailure, "state-busy")
    case .system(let error):
      self.init(
        .internalFailure, "state-unusable", ["reason": error.reason], advice: advice)
    }
  }
}

extension Diagnosis {
  /// A local code of another form.
  public init(_ error: LocalCode.FormatError) {
    let (least, most) = (LocalCode.lengths.lowerBound, LocalCode.lengths.upperBound)
    let advice = Message("local-code-form.do", ["least": least, "most": most])
    switch error {
    case .length:
      self.init(.usage, "local-code-length", key: "local-code-size", advice: advice)
    case .notDigits: self.init(.usage, "local-code-not-digits", advice: advice)
    }
  }
}

extension LocalLock.Failure: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension LocalCode.FormatError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
