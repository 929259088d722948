package import CIECard

/// The reason why a login did not succeed. No case holds anything personal or secret; `LoginFailure.Reason` explains the
/// cases of the same names.
package enum LoginError: Error, Sendable, Equatable {
  /// An exchange with a server failed, or its answer is not usable; the stage of the login.
  case http(HTTPError, LoginStage)
  case status(Int, LoginStage)
  /// A server redirected to a place where this login must not go.
  case navigation(NavigationProblem, LoginStage)
  /// The link that hands the login to the card or the app was refused.
  case handOff(HandOffProblem)
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
  /// The answer to the card call is no code.
  case code(LoginCodeProblem)
  case emptyChallenge
  case appReturn(ReturnProblem)
  /// The link is for the identity provider's app, and no app can be reached.
  case needsApp
  case listener(ReturnListenerError)
  case qrCode(QRCodeProblem)
  case app(AppFailure)
  /// The person's browser ended without having been closed, or sent an invalid message.
  case browserFailed
  /// The response to the service provider cannot be read; it was not handed over.
  case response(SAMLProblem)
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

/// The reason why a login must not go to a place.
package enum NavigationProblem: Error, Sendable, Hashable {
  case url(RedirectURL.Problem)
  case notHTTPS
  /// From the identity provider to a host that does not belong to it, before there was a response to hand over.
  case leftEnvironment(RedirectURL.Origin)
  case otherEnvironment(RedirectURL.Origin)
  /// More redirects in a row, or forms that send themselves, than a login has.
  case tooManyHops
}

/// The reason why a response is not handed over: it would release personal data to another receiver.
package enum ReceiverProblem: Error, Sendable, Hashable {
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
    do throws(Problem) { self = try RedirectURL(asBrowsersRead: text) } catch {
      throw .navigation(.url(error), stage)
    }
    guard scheme == .https else { throw .navigation(.notHTTPS, stage) }
  }
}

extension LoginError {
  static func at<Result>(
    _ stage: LoginStage, _ body: () throws(HTTPError) -> Result
  ) throws(LoginError) -> Result {
    do { return try body() } catch { throw LoginError(error, at: stage) }
  }

  init(_ error: HTTPError, at stage: LoginStage) {
    self = error == .cancelled ? .cancelled : .http(error, stage)
  }
}

extension LoginError {
  /// True if the last page explains the failure.
  var isAboutPages: Bool {
    switch self {
    case .status, .noHandOff, .noLoginButton, .page, .unexpectedPage, .errorPage, .response,
      .refusedByIdentityProvider, .receiver, .refusedByServiceProvider, .notLoggedIn,
      .consentUnlisted, .moreThanAgreed, .handOff, .handOffElsewhere:
      true
    case .http, .navigation, .code, .emptyChallenge, .appReturn, .needsApp, .listener, .qrCode,
      .app, .browserFailed, .consentDenied, .card, .channel, .pin, .cancelled, .used:
      false
    }
  }
}

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
