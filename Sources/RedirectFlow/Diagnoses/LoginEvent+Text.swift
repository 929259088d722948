public import Primitives
internal import Web

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
