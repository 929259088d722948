/// One identity provider and its hosts. A login has exactly one; nothing of another one enters it.
public struct LoginEnvironment: Sendable, Hashable {
  /// The method by which the card proves itself to the identity provider.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The card's key in mutual TLS; a code comes back.
    case clientCertificate = "client-certificate"
    /// The card's certificate first, then a signature on the server's challenge.
    case signedChallenge = "signed-challenge"
  }

  /// Its name in messages.
  public let name: String
  /// The identity provider's base URL, which ends in `/`; the card's calls go below it, never elsewhere.
  public let identityProvider: RedirectURL
  /// The origins of links that may hand a login to an app or to this program.
  public let linkOrigins: Set<RedirectURL.Origin>
  /// The paths that a link's `nextUrl` may have.
  public let nextPaths: Set<String>
  /// The method by which the card proves itself.
  public private(set) var method: Method
  /// A PEM file with the only authorities that may certify the servers; the system's when absent.
  public let authorityFile: String?

  /// Checks whether a URL's scheme, host and port are those of this environment.
  package func isIdentityProvider(_ url: RedirectURL) -> Bool {
    url.origin == identityProvider.origin || linkOrigins.contains(url.origin)
  }

  /// Checks whether a URL is at the identity provider of a built-in environment that is not this one.
  package func isAnotherIdentityProvider(_ url: RedirectURL) -> Bool {
    let others = Self.builtIn.filter { $0.name != name }
    return !isIdentityProvider(url) && others.contains { $0.isIdentityProvider(url) }
  }

  /// Checks whether links that hand over a login may come from a URL's scheme, host and port.
  package func mayCarryHandOff(_ url: RedirectURL) -> Bool { linkOrigins.contains(url.origin) }

  /// The endpoint of mutual TLS with the card's key (as io-cie-sdk and cie-sdk-ios call it).
  package var loginEndpoint: RedirectURL { identityProvider.appending("Authn/SSL/Login2") }

  /// The endpoint that exchanges the card's certificate for a challenge (cieid-android-sdk, `Endpoints.kt`).
  package var challengeEndpoint: RedirectURL {
    identityProvider.appending("Authn/X509TLS13First")
  }

  /// The endpoint that takes the challenge's signature (cieid-android-sdk, `Endpoints.kt`).
  var challengeCompletion: RedirectURL {
    identityProvider.appending("Authn/X509MobileTLS13Second")
  }

  /// This environment with another method, because it is not published which one a server takes.
  public func using(_ method: Method) -> LoginEnvironment {
    var environment = self
    environment.method = method
    return environment
  }
}

extension LoginEnvironment {
  /// The Ministry of the Interior's "CieID Server".
  public static let production = LoginEnvironment(
    builtIn: "production", host: "idserver.servizicie.interno.gov.it",
    links: "ios.idserver.servizicie.interno.gov.it")

  /// Its copy for service providers that are being federated.
  public static let preproduction = LoginEnvironment(
    builtIn: "preproduction", host: "preproduzione.idserver.servizicie.interno.gov.it",
    links: "ios.preproduzione.idserver.servizicie.interno.gov.it")

  /// Its makers' own test system, reachable only from their network.
  public static let collaudo = LoginEnvironment(
    builtIn: "collaudo", host: "collaudo.idserver.servizicie.interno.gov.it",
    links: "ios.collaudo.idserver.servizicie.interno.gov.it")

  /// The environments that need no file.
  public static let builtIn = [production, preproduction, collaudo]

  /// The domain of all built-in hosts; no environment file may name a host in it.
  static let reservedDomain = "interno.gov.it"

  /// Hosts and paths as in cieid-android-sdk (`build.gradle`) and cieid-ios-sdk (`CIETagReader.swift`); links
  /// come from the host itself or, on an iPhone, from its `ios.` name.
  private init(builtIn name: String, host: StaticString, links: StaticString) {
    let origin = RedirectURL.Origin(https: host)
    self.init(
      name: name,
      identityProvider: RedirectURL(origin: origin, path: "/idp/"),
      linkOrigins: [origin, RedirectURL.Origin(https: links)], nextPaths: ["/idp/Authn/X509"],
      method: .clientCertificate, authorityFile: nil)
  }
}

extension LoginEnvironment {
  /// The reason why an environment file cannot be used.
  public enum FileError: Error, Sendable, Hashable {
    case unreadable(errno: Int32)
    case tooLarge
    /// Not one JSON value (RFC 8259); the offset of the error, in bytes.
    case notJSON(offset: Int)
    case notAnObject
    case unknownMember(String)
    case repeatedMember(String)
    case missingMember(String)
    /// A member with the wrong type of value, or an empty one.
    case wrongType(String)
    /// A name other than 1 to 64 letters, digits, `.`, `-` and `_`, or the name of a built-in environment.
    case invalidName
    /// A member whose text is no URL, or no host with a port.
    case url(String, RedirectURL.Problem)
    case notHTTPS(String)
    /// The `idp` has a query, or a path that does not end in `/`.
    case notABase
    /// A host of the built-in environments or in their domain.
    case builtInHost(String)
    /// A path in `nextPaths` that does not begin with `/`, or that no valid URL can have.
    case invalidPath(String)
    case unknownMethod(String)
  }
}
