/// What a login came to.
public enum LoginOutcome: Sendable, Equatable {
  /// Assisted: the URL that goes on with the login, in the browser in which it began. It works once, for whoever has
  /// it.
  case completed(RedirectURL)
  /// Headless: the person is in.
  case loggedIn(LoggedIn)
}

/// The service provider's session, as its own page began it.
public struct LoggedIn: Sendable, Equatable {
  /// The last page.
  public let url: RedirectURL
  /// Its status.
  public let status: Int
  /// The cookies of the session, each a line of Netscape's cookie file. Whoever has them is the person.
  public let cookies: [String]
  /// The status of the identity provider's response.
  public let samlStatus: SAMLStatus
  /// What the response told the service provider; empty where only that one can read it.
  public let attributes: [SAMLAttribute]

  init(
    url: RedirectURL, status: Int, cookies: [String], samlStatus: SAMLStatus,
    attributes: [SAMLAttribute]
  ) {
    self.url = url
    self.status = status
    self.cookies = cookies
    self.samlStatus = samlStatus
    self.attributes = attributes
  }
}

extension LoggedIn: Redacted {
  /// Where the session is, without what it is made of.
  public var description: String { "logged in at \(url), status \(status)" }
}
