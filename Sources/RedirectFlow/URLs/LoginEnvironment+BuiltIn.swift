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

  /// Those that need no file.
  public static let builtIn = [production, preproduction, collaudo]

  /// The domain of all built-in hosts; no environment file may name a host in it.
  static let reservedDomain = "interno.gov.it"

  /// Hosts and paths as in cieid-android-sdk (`build.gradle`) and cieid-ios-sdk (`CIETagReader.swift`); links
  /// come from the host itself or, on an iPhone, from its `ios.` name.
  private init(builtIn name: String, host: StaticString, links: StaticString) {
    let origin = URLOrigin(https: host)
    self.init(
      name: name,
      identityProvider: RedirectURL(
        origin: origin, path: "/idp/", query: nil, fragment: nil, queryItems: []),
      linkOrigins: [origin, URLOrigin(https: links)], nextPaths: ["/idp/Authn/X509"],
      method: .clientCertificate, authorityFile: nil)
  }
}
