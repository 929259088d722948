/// The settings of a login.
public struct LoginConfiguration: Sendable {
  /// The one identity provider that takes part.
  public var environment: LoginEnvironment
  package var policy = NavigationPolicy.default
  /// The time limit for one answer of a server, the card's signature included.
  public var timeout = Duration.seconds(30)
  /// The time limit for the person's part in the app, until its answer is back.
  public var appTimeout = Duration.seconds(300)
  /// Further allowed receivers of the identity provider's response, beside the origin at which a headless login begins.
  public var allowedReceivers: Set<RedirectURL.Origin> = []
  /// The signs of a successful headless login on the service's page; without it, a page that asks to log in again and a
  /// session without any cookie count as failures.
  package var expectation: LoginExpectation?
  /// True if a headless login is of use only with cookies.
  public var needsCookies = false
  /// The URL scheme of this machine by which the app can call back, if any.
  public var callbackScheme: String?
  /// The words that the browser shows when the app has called back.
  public var returnWords = ReturnWords()

  /// A configuration with the default values.
  public init(_ environment: LoginEnvironment) { self.environment = environment }

  /// Words of the page that ends the login through the app, without markup.
  public typealias ReturnWords = Web.ReturnWords

  func httpSettings(_ cancellation: LoginCancellation) -> HTTPSettings {
    HTTPSettings(
      trust: environment.authorityFile, userAgent: Self.userAgent, timeout: timeout,
      cancellation: cancellation.token)
  }

  /// The User-Agent of a phone, because the identity provider offers the link for the card to no other
  /// (cieid-android-sdk sends the system's web view's own, io-app an iPhone's).
  static let userAgent =
    "Mozilla/5.0 (Linux; Android 13; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 "
    + "Mobile Safari/537.36 cie-read"
}

/// Checks that the identity provider of an environment answers: one request to its base address, with the environment's
/// own trust and the machine's proxy, as a login makes them.
package struct EnvironmentProbe: Sendable {
  private let configuration: LoginConfiguration
  private let cancellation = LoginCancellation()

  package init(_ environment: LoginEnvironment, timeout: Duration) {
    var configuration = LoginConfiguration(environment)
    configuration.timeout = timeout
    self.configuration = configuration
  }

  /// Ends the wait, from any thread.
  package func cancel() { cancellation.cancel() }

  package func run() throws(LoginError) {
    let url = configuration.environment.identityProvider.description
    try LoginError.at(.identityProvider) { () throws(HTTPError) in
      let client = try HTTPClient(configuration.httpSettings(cancellation))
      _ = try client.send(HTTPRequest(url: url, method: .get))
    }
  }
}
