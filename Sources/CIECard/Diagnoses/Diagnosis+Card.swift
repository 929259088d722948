public import Primitives

extension Diagnosis {
  /// An error of the card at a step.
  public init(_ error: CardError) {
    self.init(error.reason, at: error.step)
    stepName = error.step.rawValue
    if error.leavesTryInDoubt { advice = .tryInDoubt }
    switch error.reason {
    case .notACIE(let status), .refused(let status), .notBelieved(.unprotected(let status)),
      .channelEnded(let status), .accessRefused(_, let status):
      statusNumber = status.rawValue
    case .wrongCode(_, let tries):
      triesLeft = tries
      statusNumber = tries.map { StatusWord.triesLeft(UInt8(clamping: $0)).rawValue }
    case .wrongAccessCode(_, let tries):
      triesLeft = tries
      statusNumber =
        tries.map { StatusWord.triesLeft(UInt8(clamping: $0)).rawValue }
        ?? StatusWord.authenticationFailed.rawValue
    case .extendedLengthNeeded(let status): statusNumber = status?.rawValue
    case .blocked, .accessCodeBlocked: triesLeft = 0
    case .lastTryRefused, .lastAccessTryRefused: triesLeft = 1
    case .channel, .malformed, .notBelieved, .endlessAnswer, .unsafeParameters, .chipNotAuthentic,
      .noAccessProtocol, .signatureFalse, .certificate, .crypto, .notGenuine,
      .genuinenessUnknown, .outcomeUnknown:
      break
    }
  }

  private init(_ reason: CardError.Reason, at step: CardError.Step) {
    switch reason {
    case .channel(let error): self.init(error)
    case .crypto(let error): self.init(error)
    case .notACIE: self.init(.notACIE, "not-a-cie")
    case .refused(.wrongLength) where step == .verifyPIN || step == .verifyPUK:
      let status = StatusWord.wrongLength
      self.init(.notCarried, "refused", ["status": status], key: "refused-length")
    case .refused(let status):
      self.init(step.isBehindKeys ? .notCarried : .notACIE, "refused", ["status": status])
    case .malformed(let form): self.init(malformed: "malformed", form.rawValue, at: step)
    case .endlessAnswer: self.init(malformed: "endless-answer", "endless", at: step)
    case .certificate: self.init(malformed: "certificate-malformed", "certificate", at: step)
    case .notBelieved: self.init(.false, "not-believed", advice: .fraud)
    case .channelEnded(let status): self = .channelEnded(status, at: step)
    case .unsafeParameters(let which):
      self.init(.false, "unsafe-parameters", ["parameter": which.rawValue], advice: .fraud)
    case .chipNotAuthentic: self.init(.false, "chip-not-authentic", advice: .fraud)
    case .notGenuine(let verdict):
      self.init(.false, "chip-not-genuine", ["reason": verdict.because])
    case .genuinenessUnknown(let obstacle):
      self.init(.couldNotCheck, "chip-not-checked", ["reason": obstacle.because])
    case .outcomeUnknown(let cause):
      let cause = Diagnosis(cause, at: step)
      self.init(cause.kind, "pin-outcome-unknown", ["cause": cause.what])
    case .signatureFalse: self.init(.false, "signature-false", advice: .fraud)
    case .wrongCode(let kind, let tries): self = .wrong(kind, tries)
    case .blocked(let kind): self.init(.blocked, "\(kind.rawValue)-blocked")
    case .lastTryRefused(let kind):
      self.init(.blocked, "last-try-refused", ["code": kind.rawValue.uppercased()])
    case .wrongAccessCode(let kind, let tries): self = .wrongAccess(kind, tries)
    case .accessRefused(let kind, let status): self = .refusedAccess(kind, status)
    case .accessCodeBlocked(let kind):
      self.init(
        .blocked, "\(kind.rawValue)-blocked", ["code": kind.text], key: "access-blocked")
    case .lastAccessTryRefused(let kind):
      self.init(.blocked, "last-try-refused", ["code": kind.text], key: "access-last-try")
    case .extendedLengthNeeded: self.init(.notCarried, "extended-length-needed")
    case .noAccessProtocol: self.init(.notCarried, "no-access-protocol")
    }
  }

  private init(malformed name: String, _ detail: String, at step: CardError.Step) {
    let kind: Kind = step.isBehindKeys ? .false : .notACIE
    self.init(kind, name, ["detail": detail], key: "answer-malformed")
  }

  private static func wrong(_ kind: CardError.CodeKind, _ tries: Int?) -> Diagnosis {
    let code = kind.rawValue.uppercased()
    let name = "wrong-\(kind.rawValue)"
    guard let tries else { return Diagnosis(.wrongCode, name, ["code": code], key: "wrong-code") }
    return Diagnosis(
      .wrongCode, name, ["code": code, "count": tries], key: "wrong-code-tries")
  }

  /// The step of the card's error.
  public var step: CardError.Step? { stepName.flatMap(CardError.Step.init) }

  /// The status word of the card.
  public var statusWord: StatusWord? { statusNumber.map(StatusWord.init) }
}

extension Message {
  fileprivate static let fraud = Message("fraud.do")
  /// Doubt whether the card counted a try.
  static let tryInDoubt = Message("try-in-doubt.do")
}

extension CardError {
  /// True if a code was sent without a trustworthy answer. A signal before it prevents sending.
  fileprivate var leavesTryInDoubt: Bool {
    guard step == .verifyPIN || step == .verifyPUK else { return false }
    switch reason {
    case .channel(.withheld): return false
    case .channel, .notBelieved, .channelEnded, .endlessAnswer: return true
    case .crypto, .notACIE, .refused, .malformed, .certificate, .unsafeParameters,
      .chipNotAuthentic, .notGenuine, .genuinenessUnknown, .outcomeUnknown, .signatureFalse,
      .wrongCode, .blocked, .lastTryRefused, .wrongAccessCode, .accessRefused, .accessCodeBlocked,
      .lastAccessTryRefused, .extendedLengthNeeded, .noAccessProtocol:
      return false
    }
  }
}

extension CardError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
