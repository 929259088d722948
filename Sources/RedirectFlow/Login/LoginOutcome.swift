public import CIECard

/// What a login is doing. No event holds anything personal or secret.
public enum LoginEvent: Sendable, Equatable {
  /// The service provider's page is opened.
  case opening(RedirectURL.Origin)
  /// The identity provider was reached.
  case reachedIdentityProvider(RedirectURL.Origin)
  /// The link to the card, or to the app, was found and checked.
  case handOff
  /// This server is about to get the certificate.
  case presentingCertificate(to: RedirectURL.Origin)
  /// The server has accepted the card; the completed URL exists.
  case cardAccepted
  /// The app has come back with a URL to go on with.
  case appReturned
  /// The identity provider asks for consent to this many attributes.
  case consentAsked(attributes: Int)
  /// The person has answered.
  case consentAnswered(Bool)
  /// The signed response is handed to the service provider.
  case responding(to: RedirectURL.Origin)
  /// The service provider has let the person in.
  case loggedIn(RedirectURL.Origin)
}

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
  /// The cookies of the session. Whoever has them is the person.
  public let cookies: [Cookie]
  /// The status of the identity provider's response.
  package let samlStatus: SAMLStatus
  /// What the response told the service provider; empty where only that one can read it.
  public let attributes: [SAMLAttribute]

  init(
    url: RedirectURL, status: Int, cookies: [Cookie], samlStatus: SAMLStatus,
    attributes: [SAMLAttribute]
  ) {
    self.url = url
    self.status = status
    self.cookies = cookies
    self.samlStatus = samlStatus
    self.attributes = attributes
  }
}

extension LoggedIn {
  /// A cookie as a user agent keeps it (RFC 6265 §5.3).
  public struct Cookie: Sendable, Equatable {
    /// The host that gets it.
    public let domain: String
    /// Whether the hosts below get it, too.
    public let includesSubdomains: Bool
    /// The path under which it is sent.
    public let path: String
    /// Whether it is sent through TLS only.
    public let isSecure: Bool
    /// Whether scripts of the page do not see it.
    public let isHTTPOnly: Bool
    /// When it ends; `nil` for the end of the session.
    public let expires: UTCTime?
    /// Its name.
    public let name: String
    /// Its value: a secret.
    public let value: String

    static let httpOnly = "#HttpOnly_"

    /// A line of Netscape's cookie file, which curl reads.
    public var netscapeLine: String {
      let flags = [includesSubdomains, isSecure].map { $0 ? "TRUE" : "FALSE" }
      return (isHTTPOnly ? Self.httpOnly : "")
        + [domain, flags[0], path, flags[1], String(expires?.seconds ?? 0), name, value]
        .joined(separator: "\t")
    }
  }
}

extension LoggedIn.Cookie: Redacted {
  /// Its name and host, without the value.
  public var description: String { "\(name) of \(domain)" }
}

extension LoggedIn: Redacted {
  /// Where the session is, without what it is made of.
  public var description: String { "logged in at \(url), status \(status)" }
}

/// A page at which a login came to its end, as its server sent it. It may be personal, and may hold secrets.
package struct EndPage: Sendable, Equatable {
  /// Where it came from.
  public let url: RedirectURL
  /// Its bytes.
  public let body: [UInt8]
}

extension EndPage: Redacted {
  /// Where and how much.
  public var description: String { "page of \(body.count) bytes at \(url)" }
}
