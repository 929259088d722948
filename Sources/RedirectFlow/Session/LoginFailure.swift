public import CIECard

/// The reason why a login did not succeed, as far as a program can act on it. It holds nothing personal or secret.
public struct LoginFailure: Error, Sendable, CustomStringConvertible {
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

  package let error: LoginError

  package init(_ error: LoginError) { self.error = error }

  /// The kind of failure.
  public var reason: Reason {
    switch error {
    case .cancelled: .cancelled
    case .consentDenied: .consentDenied
    case .channel(let error): .reader(error)
    case .card(let error): .card(error)
    case .http(let error, _): error.isRefusalOfTheCard ? .refused : .network
    case .status, .errorPage, .refusedByIdentityProvider, .refusedByServiceProvider, .notLoggedIn:
      .refused
    case .navigation, .handOff, .handOffElsewhere, .noHandOff, .noLoginButton, .page,
      .unexpectedPage, .code, .emptyChallenge, .response, .receiver, .consentUnlisted,
      .moreThanAgreed:
      .unexpectedAnswer
    case .needsApp, .appReturn, .listener, .qrCode, .app: .app
    case .pin(let error): .pin(error)
    case .browserFailed: .browser
    case .used: .used
    }
  }

  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
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
