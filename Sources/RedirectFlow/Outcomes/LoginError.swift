public import CIECard

/// The reason why a login did not succeed. It holds nothing personal or secret.
public struct LoginError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Reason: Sendable {
    /// The person or the program gave up, the task was cancelled, or `LoginSession.cancel` was called.
    case cancelled
    /// The person did not agree to the release; nothing was sent.
    case consentDenied
    /// The reader failed, or there was no card in time.
    case reader(ChannelError)
    /// The card failed or refused, before or after the PIN.
    case card(CardError)
    /// A server could not be reached, is not trusted, or broke off; the state of the login there is unknown.
    case network
    /// The identity provider or the service did not let the person in.
    case refused
    /// A page, a link or an answer does not belong to a login, or leads out of it; it was not followed.
    case unexpectedAnswer
    /// The person's browser ended without having been closed, or cannot be commanded.
    case browser
    /// The identity provider's app failed, or cannot be reached from here.
    case app
    /// The text entered is no PIN; nothing was sent to the card.
    case pin(AccessCode.FormatError)
    /// A session is one login; this one was used.
    case used
  }

  /// The exact cause.
  package let cause: Cause
  /// The error that the program's own part threw, a participant's or an app's, unchanged; the reason is then `.cancelled`.
  public let thrown: (any Error)?

  package init(_ cause: Cause) {
    self.cause = cause
    thrown = nil
  }

  /// The end of a login by an error of the program's own part.
  package init(endedBy error: any Error) {
    cause = .cancelled
    thrown = error
  }

  /// The kind of failure.
  public var reason: Reason {
    switch cause {
    case .cancelled: .cancelled
    case .consentDenied: .consentDenied
    case .channel(let error): .reader(error)
    case .card(let error): .card(error)
    case .http(let error, _): error.isRefusalOfTheCard ? .refused : .network
    case .status, .errorPage, .refusedByIdentityProvider, .refusedByServiceProvider, .notLoggedIn:
      .refused
    case .navigation, .handOff(.link), .handOff(.code), .handOff(.response), .handOffElsewhere,
      .noHandOff, .noLoginButton, .page, .unexpectedPage, .emptyChallenge, .receiver,
      .consentUnlisted, .moreThanAgreed:
      .unexpectedAnswer
    case .needsApp, .handOff(.appReturn), .handOff(.listener), .qrCode, .app: .app
    case .pin(let error): .pin(error)
    case .browserFailed: .browser
    case .used: .used
    }
  }

  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension LoginError: Equatable {
  /// Equal causes; an error of the program's own part does not count.
  public static func == (one: LoginError, other: LoginError) -> Bool { one.cause == other.cause }
}

extension LoginError {
  /// The exact causes; a diagnosis has a sentence for each.
  package enum Cause: Sendable, Equatable {
    /// An exchange with a server failed, or its answer is not usable; the stage of the login.
    case http(HTTPError, LoginStage)
    case status(Int, LoginStage)
    /// A server redirected to a place where this login must not go.
    case navigation(NavigationProblem, LoginStage)
    /// The link that hands the login over was refused, or the answer to it cannot be used and was not handed on.
    case handOff(HandOffError)
    /// A link that hands a login over came from this origin and not from the identity provider's own page: it belongs to
    /// a login that was not begun here.
    case handOffElsewhere(RedirectURL.Origin)
    /// The identity provider's pages offer no card login, and nothing that leads to one.
    case noHandOff
    case noLoginButton
    case page(PageError, LoginStage)
    /// A page does not have the form that the step needs.
    case unexpectedPage(LoginStage)
    /// The identity provider shows its error page; with the number of its error code, if it names one.
    case errorPage(code: Int?, LoginStage)
    case emptyChallenge
    /// The link is for the identity provider's app, and no app can be reached.
    case needsApp
    /// The link has no QR code; it is too long.
    case qrCode
    case app(AppFailure)
    /// The person's browser ended without having been closed, or sent an invalid message.
    case browserFailed
    /// The identity provider's response reports that there is no login.
    case refusedByIdentityProvider(SAMLStatus)
    /// The response would go to another receiver; it was not handed over.
    case receiver(ReceiverProblem)
    /// The service provider did not let the person in; the status of its last page.
    case refusedByServiceProvider(status: Int)
    /// The service provider has the response and answers with a page, but by this sign the person is not in.
    case notLoggedIn(LoggedOutSign)
    /// The identity provider asks for consent to attributes that cannot be listed, or releases them without asking; its
    /// origin.
    case consentUnlisted(RedirectURL.Origin)
    /// The response has more attributes than the person agreed to; their names. It was not handed over.
    case moreThanAgreed([UntrustedText])
    case consentDenied
    case card(CardError)
    /// The reader failed, before there was a card.
    case channel(ChannelError)
    case pin(AccessCode.FormatError)
    case cancelled
    case used
  }
}

extension HTTPError {
  fileprivate var isRefusalOfTheCard: Bool {
    switch self {
    case .cardCertificateExpired, .cardCertificateRevoked, .cardCertificateUnknownAuthority,
      .cardCertificateRefused:
      true
    default: false
    }
  }
}
