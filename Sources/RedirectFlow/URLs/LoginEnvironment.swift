/// One identity provider and what belongs to it. A login has exactly one; nothing of another one enters it.
public struct LoginEnvironment: Sendable, Hashable {
  /// How the card proves itself to the identity provider.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The card's key in mutual TLS; a code comes back.
    case clientCertificate = "client-certificate"
    /// The card's certificate first, then a signature on the server's challenge.
    case signedChallenge = "signed-challenge"
  }

  /// What people call it; goes into messages.
  public let name: String
  /// The identity provider's base URL, which ends in `/`; the card's calls go below it, never elsewhere.
  public let identityProvider: RedirectURL
  /// Who may carry links that hand a login to an app or to this program.
  public let linkOrigins: Set<URLOrigin>
  /// The paths that a link's `nextUrl` may have.
  public let nextPaths: Set<String>
  /// How the card proves itself.
  public let method: Method
  /// A PEM file with the only authorities that may certify the servers; the system's when absent.
  public let authorityFile: String?

  /// Whether a URL's scheme, host and port are those of this environment.
  public func isIdentityProvider(_ url: RedirectURL) -> Bool {
    url.origin == identityProvider.origin || linkOrigins.contains(url.origin)
  }

  /// Whether links that hand over a login may come from a URL's scheme, host and port.
  public func mayCarryHandOff(_ url: RedirectURL) -> Bool { linkOrigins.contains(url.origin) }

  /// Where the card's key opens mutual TLS (as io-cie-sdk and cie-sdk-ios call it).
  public var loginEndpoint: RedirectURL { identityProvider.appending("Authn/SSL/Login2") }

  /// Where the card's certificate is exchanged for a challenge (cieid-android-sdk, `Endpoints.kt`).
  public var challengeEndpoint: RedirectURL {
    identityProvider.appending("Authn/X509TLS13First")
  }

  /// Where the challenge's signature is shown (cieid-android-sdk, `Endpoints.kt`).
  public var challengeCompletion: RedirectURL {
    identityProvider.appending("Authn/X509MobileTLS13Second")
  }

  /// The same environment with another method: which one a server takes is not published.
  public func using(_ method: Method) -> LoginEnvironment {
    LoginEnvironment(
      name: name, identityProvider: identityProvider, linkOrigins: linkOrigins,
      nextPaths: nextPaths, method: method, authorityFile: authorityFile)
  }
}
