internal import CIECard
internal import Primitives

/// The progress of a login: for errors, and for the next allowed steps.
package enum LoginStage: String, Sendable, Hashable, CaseIterable {
  /// At the service provider, before the identity provider.
  case serviceProvider = "service-provider"
  /// At the identity provider, before the hand-off.
  case identityProvider = "identity-provider"
  /// The call made with the card's key.
  case cardCall = "card-call"
  /// The completed URL is loaded; the identity provider continues.
  case completion
  /// The person's answer is handed to the identity provider.
  case consent
  /// The response is handed to the service provider.
  case response
}

/// The reason why a login must not go to a place.
package enum NavigationProblem: Sendable, Hashable {
  case url(RedirectURL.Problem)
  case notHTTPS
  /// From the identity provider to a host that does not belong to it, before there was a response to hand over.
  case leftEnvironment(RedirectURL.Origin)
  case otherEnvironment(RedirectURL.Origin)
  /// More redirects in a row, or forms that send themselves, than a login has.
  case tooManyHops
}

/// The reason why a response is not handed over: it would release personal data to another receiver.
package enum ReceiverProblem: Sendable, Hashable {
  /// The login began at the first; the identity provider's form goes to the second.
  case notWhereTheLoginBegan(RedirectURL.Origin, RedirectURL.Origin)
  /// The form goes to the first; the response in it was made for the second, or for an invalid address.
  case notTheDestination(RedirectURL.Origin, RedirectURL.Origin?)
}

/// The sign that the service provider did not let the person in, whatever it answered.
package enum LoggedOutSign: Sendable, Hashable, CaseIterable {
  case loginButton
  /// There is no cookie by which it could know the person again.
  case noCookie
  /// Its last page is not what the caller expects.
  case notAsExpected
}

extension RedirectURL {
  /// A place where a server wants a login to go: an address as browsers read it, and `https`.
  init(judging text: String, at stage: LoginStage) throws(LoginError) {
    self = try mapError(try RedirectURL(asBrowsersRead: text)) {
      LoginError(.navigation(.url($0), stage))
    }
    guard scheme == .https else { throw LoginError(.navigation(.notHTTPS, stage)) }
  }
}

extension LoginError {
  static func at<Result>(
    _ stage: LoginStage, _ body: () throws(HTTPError) -> Result
  ) throws(LoginError) -> Result {
    try mapError(try body()) { LoginError($0, at: stage) }
  }

  init(_ error: HTTPError, at stage: LoginStage) {
    self.init(error == .cancelled ? .cancelled : .http(error, stage))
  }
}

extension LoginError {
  /// True if the last page explains the failure.
  var isAboutPages: Bool {
    switch cause {
    case .status, .noHandOff, .noLoginButton, .page, .unexpectedPage, .errorPage,
      .refusedByIdentityProvider, .receiver, .refusedByServiceProvider, .notLoggedIn,
      .consentUnlisted, .moreThanAgreed, .handOff(.link), .handOff(.response), .handOffElsewhere:
      true
    case .http, .navigation, .handOff(.code), .handOff(.appReturn), .handOff(.listener),
      .emptyChallenge, .needsApp, .qrCode, .app, .browserFailed, .consentDenied, .card, .channel,
      .pin, .cancelled, .used:
      false
    }
  }

  /// True if the card itself has answered, so that a try may be gone.
  var isAnswerOfTheCard: Bool {
    guard case .card(let error) = cause else { return false }
    if case CardError.Reason.channel = error.reason { return false }
    return true
  }
}
