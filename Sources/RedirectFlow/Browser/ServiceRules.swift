/// The rules at the service provider: the allowed receivers of the response, and the signs of success.
struct ServiceRules: Sendable {
  /// The origin of the page where the login began.
  let start: RedirectURL.Origin
  /// Further allowed receivers of the response, from the caller; in a stable order.
  let allowed: [RedirectURL.Origin]
  /// The caller's sign of success; without it, the page and the cookies decide.
  let expectation: LoginExpectation?
  /// True if another program is to use the session: it gets its cookies and nothing more.
  let needsCookies: Bool

  init(start: RedirectURL.Origin, _ configuration: LoginConfiguration) {
    self.start = start
    allowed = configuration.allowedReceivers.subtracting([start]).sorted { "\($0)" < "\($1)" }
    expectation = configuration.expectation
    needsCookies = configuration.needsCookies
  }

  /// The question to the person when the answer would go to an unannounced receiver; `nil` when it goes where the login
  /// began, or the caller allowed it.
  func unannounced(_ receiver: RedirectURL.Origin) -> UnannouncedReceiver? {
    guard receiver != start, !allowed.contains(receiver) else { return nil }
    return UnannouncedReceiver(receiver: receiver, start: start)
  }

  /// Compares the form's receiver with the one that the response in it names (SAML 2.0 Core §3.2.2, `Destination`).
  func checkDestination(
    of response: SAMLResponse, in submission: FormSubmission
  ) throws(LoginError) {
    let receiver = submission.url.origin
    guard let destination = response.destination else { return }
    let named = try? RedirectURL(destination, allowingFragment: true)
    guard named?.origin == receiver else {
      throw LoginError(.receiver(.notTheDestination(receiver, named?.origin)))
    }
  }

  /// Checks whether the service provider has let the person in.
  ///
  /// - Parameter isDirectAnswer: true if the page is the direct answer to the response, not one navigated to
  ///   afterwards.
  /// - Throws: `.notLoggedIn`.
  func check(
    _ session: LoggedIn, _ page: LoadedPage, isDirectAnswer: Bool
  ) throws(LoginError) {
    let isCookieless = session.cookies.isEmpty
    guard !needsCookies || !isCookieless else { throw LoginError(.notLoggedIn(.noCookie)) }
    if let expectation {
      guard expectation.isMet(by: page.content, at: page.url) else {
        throw LoginError(.notLoggedIn(.notAsExpected))
      }
      return
    }
    guard !page.hasLoginButton else { throw LoginError(.notLoggedIn(.loginButton)) }
    // A service that sends the browser on can recognise it by a cookie, or by the address.
    let isKnownOtherwise = isDirectAnswer || page.url.query != nil || page.url.fragment != nil
    guard !isCookieless || isKnownOtherwise else { throw LoginError(.notLoggedIn(.noCookie)) }
  }
}
