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
      guard expectation.isMet(by: page) else { throw .notLoggedIn(.notAsExpected) }
      return
    }
    guard !page.hasLoginButton else { throw .notLoggedIn(.loginButton) }
    // A service that sends the browser on can know it again by a cookie, or by what stands in the address.
    let isKnownOtherwise = isDirectAnswer || page.url.query != nil || page.url.fragment != nil
    guard !isCookieless || isKnownOtherwise else { throw .notLoggedIn(.noCookie) }
  }
}

/// By what it shows that the service provider did not let the person in, whatever it answered.
public enum LoggedOutSign: Sendable, Hashable, CaseIterable {
  /// Its last page still has the button for the login.
  case loginButton
  /// There is no cookie by which it could know the person again.
  case noCookie
  /// Its last page is not what the caller expects.
  case notAsExpected
}
