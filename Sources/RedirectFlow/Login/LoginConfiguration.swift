/// What a login is to be like.
public struct LoginConfiguration: Sendable {
  /// The one identity provider that takes part.
  public var environment: LoginEnvironment
  /// Which links end the browsing.
  package var policy: NavigationPolicy
  /// How long a server may take for one answer, the card's signature included.
  public var timeout: Duration
  /// How long a person may take with the app, before its answer must be back.
  public var appTimeout: Duration
  /// Who may get the identity provider's response beside the origin at which a headless login begins.
  public var allowedReceivers: Set<RedirectURL.Origin> = []
  /// What the service's page looks like when a headless login succeeded; without it, a page that asks to log in again
  /// and a session without any cookie are taken for failures.
  package var expectation: LoginExpectation?
  /// Whether a headless login is of use only with cookies.
  public var needsCookies = false
  /// The URL scheme of this machine by which the app can call back, if there is one.
  public var callbackScheme: String?
  /// What the browser shows when the app has come back through it.
  public var returnWords = ReturnWords()

  /// A configuration with the usual values.
  public init(_ environment: LoginEnvironment) {
    self.environment = environment
    policy = .default
    timeout = .seconds(30)
    appTimeout = .seconds(300)
    callbackScheme = nil
  }

  /// Words of the page that ends the way through the app, without markup.
  public struct ReturnWords: Sendable, Equatable {
    /// The language of the words (BCP 47).
    public var language = "en"
    /// The title of the page.
    public var title = "Login"
    /// The answer was received.
    public var accepted = "Login received: you may close this page and go back to the program."
    /// Something else was asked for.
    public var refused = "Not a valid request."

    /// English words that name no program.
    public init() {}
  }

  /// What all exchanges have in common.
  func httpSettings(_ cancellation: LoginCancellation) -> HTTPSettings {
    HTTPSettings(
      trust: environment.authorityFile.map { .file(path: $0) } ?? .system,
      userAgent: Self.userAgent,
      timeout: timeout,
      cancellation: cancellation.token)
  }

  /// A phone's: the identity provider offers the link for the card to no other (cieid-android-sdk lets the system's web
  /// view say so, io-app an iPhone's).
  static let userAgent =
    "Mozilla/5.0 (Linux; Android 13; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 "
    + "Mobile Safari/537.36 cie-read"
}
