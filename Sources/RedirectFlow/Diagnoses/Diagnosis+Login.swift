internal import CIECard
public import Primitives
internal import Web

/// Failures of logins. No text repeats a server's or a link's words, except hosts and marked, shortened texts.
extension Diagnosis {
  /// The login failed.
  public init(_ error: LoginError) { self.init(error.cause) }

  private init(_ cause: LoginError.Cause) {
    switch cause {
    case .http(let error, let stage): self.init(error, at: stage.rawValue)
    case .status(let status, let stage):
      self = .refused(
        "http-\(status)", ["status": status, "stage": stage.rawValue], key: "http-status")
    case .navigation(let problem, let stage): self.init(problem, at: stage)
    case .handOff(let error): self.init(error)
    case .noHandOff: self = .refused("no-hand-off")
    case .noLoginButton: self = .refused("no-login-button")
    case .page(let error, let stage): self = .page(error, stage)
    case .unexpectedPage(let stage): self = .refused("unexpected-page", ["stage": stage.rawValue])
    case .errorPage(let code, _): self = .errorPage(code)
    case .refusedByIdentityProvider(let status): self = .notGranted(status.errorNumber)
    case .receiver(let problem): self = .receiver(problem)
    case .notLoggedIn(let sign): self = .notLoggedIn(sign)
    case .consentUnlisted(let origin): self = .refused("consent-unlisted", ["origin": origin])
    case .moreThanAgreed(let names):
      let shown = names.prefix(10).map(\.display).joined(separator: ", ")
      self = .untrusted("more-than-agreed", ["names": shown])
    case .handOffElsewhere(let origin): self = .untrusted("hand-off-elsewhere", ["origin": origin])
    case .emptyChallenge: self = .refused("challenge-empty")
    case .refusedByServiceProvider(let status):
      self = .refused("service-refused", ["status": status], key: "service-refused-status")
    case .consentDenied: self = .refused("consent-denied")
    case .needsApp: self = .refused("needs-app")
    case .qrCode: self = .refused("link-too-long")
    case .app(let failure): self = .failed(failure)
    case .card(let error): self.init(error)
    case .channel(let error): self.init(error)
    case .browserFailed:
      self.init(.internalFailure, "browser-failed", advice: Message("browser-of-login.do"))
    case .cancelled: self = .refused("login-cancelled")
    case .pin(let error): self.init(pin: error)
    case .used: self.init(.internalFailure, "login-failed", advice: .again)
    }
  }

  private init(pin error: AccessCode.FormatError) {
    let code = Message("code.pin")
    let advice = Message("code-form.do", ["digits": 8])
    switch error {
    case .length:
      self.init(
        .usage, "pin-length", ["code": code, "digits": 8], key: "code-length", advice: advice)
    case .notDigits:
      self.init(.usage, "pin-not-digits", ["code": code], key: "code-not-digits", advice: advice)
    }
  }
}

extension Diagnosis {
  init(_ problem: NavigationProblem, at stage: LoginStage) {
    switch problem {
    case .url: self = .untrusted("url-malformed", ["stage": stage.rawValue])
    case .notHTTPS: self = .untrusted("not-https", ["stage": stage.rawValue])
    case .leftEnvironment(let origin): self = .untrusted("left-environment", ["origin": origin])
    case .otherEnvironment(let origin): self = .untrusted("other-environment", ["origin": origin])
    case .tooManyHops: self = .refused("too-many-redirects", ["stage": stage.rawValue])
    }
  }
}

extension LoginEvent {
  /// The login's current step, as a line of progress.
  public var text: Message {
    switch self {
    case .opening(let origin): Message("login.opening", ["origin": origin])
    case .reachedIdentityProvider(let origin):
      Message("login.reached-identity-provider", ["origin": origin])
    case .handOff: Message("login.hand-off")
    case .presentingCertificate(let origin):
      Message("login.presenting-certificate", ["origin": origin])
    case .cardAccepted: Message("login.card-accepted")
    case .appReturned: Message("login.app-returned")
    case .consentAsked(let count): Message("login.consent-asked", ["count": count])
    case .consentAnswered(true): Message("login.consent-answered-true")
    case .consentAnswered(false): Message("login.consent-answered-false")
    case .answerSealed(let origin): Message("login.answer-sealed", ["origin": origin])
    case .responding(let origin): Message("login.responding", ["origin": origin])
    case .loggedIn(let origin): Message("login.logged-in", ["origin": origin])
    }
  }
}
