/// Sign-in by the device authorization grant (RFC 8628): the person opens an address on their phone, compares or types
/// a code, and this machine polls the provider.
struct DeviceAuthorization: Sendable {
  /// Default polling interval (§3.2), and its increase after `slow_down` (§3.5), in seconds.
  private static let usualInterval = 5
  /// Maximum polling interval, in seconds; a longer one from the provider is an error.
  private static let longestInterval = 120
  /// Maximum lifetime of a device code, in seconds; longer ones are cut to it.
  private static let longestLife = 3600

  /// Verification URI for the person, with the code in it if the provider returns such a one.
  let url: RedirectURL
  /// User code, which the person compares or types.
  let userCode: String
  let until: UTCTime
  private let deviceCode: String
  private let interval: Int
  private let session: OpenIDSession

  static func begin(
    _ session: OpenIDSession, scopes: [String]
  ) throws(SignInError) -> DeviceAuthorization {
    guard let endpoint = session.provider.deviceAuthorization else {
      throw SignInError(.openID(.metadataMissing("device_authorization_endpoint")))
    }
    let scope = QueryItem("scope", scopes.joined(separator: " "))
    return try DeviceAuthorization(try session.post([scope], to: endpoint).granted(), session)
  }

  private init(_ answer: ServiceAnswer, _ session: OpenIDSession) throws(SignInError) {
    deviceCode = try answer.requiredText("device_code")
    userCode = try answer.requiredText("user_code")
    // On the provider's servers, because its name must not lead the person elsewhere.
    let plain = try answer.requiredURL("verification_uri", on: session.client.origins)
    url =
      answer.json?["verification_uri_complete"] == nil
      ? plain : try answer.requiredURL("verification_uri_complete", on: session.client.origins)
    guard let life = answer.json?["expires_in"]?.integer, life > 0 else {
      throw .exchange(.wrongMember("expires_in"))
    }
    if let member = answer.json?["interval"] {
      guard let seconds = member.integer, (0...Self.longestInterval).contains(seconds) else {
        throw .exchange(.wrongMember("interval"))
      }
      interval = max(seconds, 1)
    } else {
      interval = Self.usualInterval
    }
    until = UTCTime(
      seconds: session.context.now().seconds + Int64(min(life, Self.longestLife)))
    self.session = session
  }

  /// Polls until the provider reports the end, the codes expire, or the sign-in is cancelled.
  ///
  /// - Returns: the token response, which `account` verifies.
  /// - Throws: `.denied`, `.expired`, `.timedOut`, `.cancelled`.
  func tokens() throws(SignInError) -> ServiceAnswer {
    let context = session.context
    var wait = interval
    while context.now() < until {
      try context.pause(.seconds(wait))
      let answer: ServiceAnswer
      do throws(SignInError) {
        answer = try session.post(
          [
            QueryItem("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            QueryItem("device_code", deviceCode),
          ], to: session.provider.token)
      } catch {
        // The network may come back: the interval doubles after each network error (§3.5).
        guard error.isPassing else { throw error }
        wait = min(2 * wait, Self.longestInterval)
        continue
      }
      if answer.isSuccess { return answer }
      switch answer.text("error").flatMap({ OpenIDRefusal(rawValue: $0) }) {
      case .authorizationPending: continue
      case .slowDown: wait = min(wait + Self.usualInterval, Self.longestInterval)
      default: throw SignInError(refusedBy: answer)
      }
    }
    throw SignInError(.timedOut)
  }

  /// Tokens of the response of `tokens`, not verified: for a caller that hands them on to be verified elsewhere.
  func unproved(_ answer: ServiceAnswer) throws(SignInError) -> Account.Tokens {
    try session.tokens(of: answer)
  }

  /// Verifies the response of `tokens`.
  func account(
    of answer: ServiceAnswer, _ method: SignInMethod
  ) throws(SignInError) -> Account {
    try session.account(of: answer, OpenIDSession.Asked(), method)
  }
}

extension SignInError {
  /// True for a network error that may be over at the next try.
  fileprivate var isPassing: Bool {
    guard case .exchange(.http(let error)) = cause else { return false }
    switch error {
    case .resolve, .connect, .disconnected, .timeout, .proxy: return true
    default: return false
    }
  }
}

extension DeviceAuthorization: Redacted {
  var description: String { "\(url)" }
}
