/// What holds at the service provider: who may get what the identity provider tells, and what counts as being in.
struct ServiceRules: Sendable {
  /// The origin of the page where the login began.
  let start: RedirectURL.Origin
  /// Who else may get the response, because the caller allowed it; in a stable order.
  let allowed: [RedirectURL.Origin]
  /// What the caller says that success looks like; without it, the page and the cookies are asked.
  let expectation: LoginExpectation?
  /// Whether the session is to be used by somebody else, who gets its cookies and nothing more.
  let needsCookies: Bool

  init(
    start: RedirectURL.Origin, allowing allowed: Set<RedirectURL.Origin> = [],
    expectation: LoginExpectation? = nil,
    needsCookies: Bool = false
  ) {
    self.start = start
    self.allowed = allowed.subtracting([start]).sorted { "\($0)" < "\($1)" }
    self.expectation = expectation
    self.needsCookies = needsCookies
  }

  /// Looks at where the form goes to and at what the response in it says about that (SAML 2.0 Core §3.2.2,
  /// `Destination`).
  ///
  /// - Throws: `.receiver`.
  func check(_ submission: FormSubmission, _ response: SAMLResponse) throws(LoginError) {
    let receiver = submission.url.origin
    guard receiver == start || allowed.contains(receiver) else {
      throw .receiver(.notWhereTheLoginBegan(start, receiver))
    }
    guard let destination = response.destination else { return }
    let named = try? RedirectURL(destination, allowingFragment: true)
    guard named?.origin == receiver else {
      throw .receiver(.notTheDestination(receiver, named?.origin))
    }
  }

  /// Whether the service provider has let the person in.
  ///
  /// - Parameter isDirectAnswer: whether the page is the very answer to the response, not one that was gone to
  ///   afterwards.
  /// - Throws: `.notLoggedIn`.
  func check(
    _ session: LoggedIn, _ page: LoadedPage, isDirectAnswer: Bool
  ) throws(LoginError) {
    let isCookieless = session.cookies.isEmpty
    guard !needsCookies || !isCookieless else { throw .notLoggedIn(.noCookie) }
    if let expectation {
      guard expectation.isMet(by: page.content, at: page.url) else {
        throw .notLoggedIn(.notAsExpected)
      }
      return
    }
    guard !page.hasLoginButton else { throw .notLoggedIn(.loginButton) }
    // A service that sends the browser on can know it again by a cookie, or by what stands in the address.
    let isKnownOtherwise = isDirectAnswer || page.url.query != nil || page.url.fragment != nil
    guard !isCookieless || isKnownOtherwise else { throw .notLoggedIn(.noCookie) }
  }
}

extension LoginConfiguration {
  /// What holds for a login that begins at a page.
  func rules(from page: RedirectURL) -> ServiceRules {
    ServiceRules(
      start: page.origin, allowing: allowedReceivers, expectation: expectation,
      needsCookies: needsCookies)
  }
}
