/// Who may get what the identity provider tells: whoever the login began with, and those that the caller allows.
struct Receivers: Sendable {
  /// The origin of the page where the login began.
  let start: URLOrigin
  /// The others, in a stable order.
  let allowed: [URLOrigin]

  init(start: URLOrigin, allowed: Set<URLOrigin>) {
    self.start = start
    self.allowed = allowed.subtracting([start]).sorted { "\($0)" < "\($1)" }
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
}

/// What counts as being in, once the service provider has the response.
struct LoginSuccess: Sendable {
  /// What the caller says that it looks like; without it, the page and the cookies are asked.
  var expectation: LoginExpectation?
  /// Whether the session is to be used by somebody else, who gets its cookies and nothing more.
  var needsCookies = false

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
