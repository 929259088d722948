public import Primitives

/// A step of a login. No event holds anything personal or secret.
public enum LoginEvent: Sendable, Equatable {
  case opening(RedirectURL.Origin)
  case reachedIdentityProvider(RedirectURL.Origin)
  /// The link to the card, or to the app, was found and checked.
  case handOff
  /// This server is about to get the certificate.
  case presentingCertificate(to: RedirectURL.Origin)
  /// The server has accepted the card; the completed URL exists.
  case cardAccepted
  /// The app has returned a URL that continues the login.
  case appReturned
  /// The identity provider asks for consent to this many attributes.
  case consentAsked(attributes: Int)
  /// The person has answered.
  case consentAnswered(Bool)
  /// The answer is encrypted for this service provider: only that one can see whether it has more than the person
  /// agreed to.
  case answerSealed(for: RedirectURL.Origin)
  /// The signed response is handed to the service provider.
  case responding(to: RedirectURL.Origin)
  /// The service provider has let the person in.
  case loggedIn(RedirectURL.Origin)
}

/// The result of a login.
public enum LoginOutcome: Sendable, Equatable {
  /// Assisted: the URL that continues the login, in the browser in which it began. It works once, for any bearer.
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
  /// The cookies of the session: bearer secrets.
  public let cookies: [Cookie]
  package let samlStatus: SAMLStatus
  /// The attributes in the response to the service provider; empty if only that one can read it.
  public let attributes: [SAMLAttribute]
}

extension LoggedIn: StableObject, Encodable {
  package static let facts: [Fact<LoggedIn>] =
    [
      Fact(
        "finalUrl", \.url.description,
        note: "Without a browser: the last page, without its query."), Fact("status", \.status),
    ] + Fact.all(of: \.samlStatus) + [Fact("attributes") { $0.attributes.map(\.name) }]

  /// Encodes `finalUrl` without its query, `status`, `samlStatus`, and the names of the `attributes`: no cookie and
  /// nothing personal.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LoggedIn {
  /// A cookie as a user agent keeps it (RFC 6265 §5.3).
  public struct Cookie: Sendable, Equatable {
    /// The host to which it is sent.
    public let domain: String
    /// True if it is sent to subdomains, too.
    public let includesSubdomains: Bool
    /// The path under which it is sent.
    public let path: String
    /// True if it is sent through TLS only.
    public let isSecure: Bool
    /// True if scripts of the page do not see it.
    public let isHTTPOnly: Bool
    /// Its expiry; `nil` for the end of the session.
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
  /// The session's address and status, without its secrets.
  public var description: String { "logged in at \(url), status \(status)" }
}

/// The page at which a login ended, as its server sent it. It may be personal, and may hold secrets.
package struct EndPage: Sendable, Equatable {
  /// Its address.
  public let url: RedirectURL
  /// Its bytes.
  public let body: [UInt8]
}

extension EndPage: Redacted {
  /// Its address and length.
  public var description: String { "page of \(body.count) bytes at \(url)" }
}
