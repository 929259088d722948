package import CIECard
package import RedirectFlow
internal import System

/// A sign-in that goes on with another device (RFC 8628): the person opens an address with their phone, compares or types
/// a code, and this machine asks the provider now and then whether it is done.
package struct DeviceAuthorization: Sendable {
  /// How long to wait between two questions when the provider does not say (§3.2), and how much longer when it is asked
  /// too often (§3.5), in seconds.
  private static let usualInterval = 5
  /// Longer ones would be no interval.
  private static let longestInterval = 120
  /// No provider keeps a device waiting for longer, in seconds.
  private static let longestLife = 3600

  /// What the person opens, the code in it if the provider does so.
  package let url: RedirectURL
  /// What the person compares, or types.
  package let userCode: String
  /// Until when.
  package let until: UTCTime
  private let deviceCode: String
  private let interval: Int
  private let session: OpenIDSession
  private let asked: OpenIDSession.Asked

  /// Asks the provider to begin.
  ///
  /// - Parameter level: the lowest level of authentication that counts.
  package static func begin(
    _ session: OpenIDSession, scopes: [String], level: AuthenticationLevel? = nil
  ) throws(SignInError) -> DeviceAuthorization {
    guard let endpoint = session.provider.deviceAuthorization else {
      throw SignInError(.openID(.metadataMissing("device_authorization_endpoint")))
    }
    var fields = [QueryItem("scope", scopes.joined(separator: " "))]
    if let level { fields.append(QueryItem("acr_values", level.name)) }
    let answer = try session.post(fields, to: endpoint)
    guard answer.isSuccess else { throw SignInError(refusedBy: answer) }
    do throws(ExchangeProblem) {
      return try DeviceAuthorization(answer, session, OpenIDSession.Asked(level: level))
    } catch {
      throw SignInError(error)
    }
  }

  private init(
    _ answer: ServiceAnswer, _ session: OpenIDSession, _ asked: OpenIDSession.Asked
  ) throws(ExchangeProblem) {
    deviceCode = try answer.requiredText("device_code")
    userCode = try answer.requiredText("user_code")
    let plain = try Self.address(answer, "verification_uri", session)
    url =
      answer.json?["verification_uri_complete"] == nil
      ? plain : try Self.address(answer, "verification_uri_complete", session)
    guard let life = answer.json?["expires_in"]?.integer, life > 0 else {
      throw .wrongMember("expires_in")
    }
    if let member = answer.json?["interval"] {
      guard let seconds = member.integer, (0...Self.longestInterval).contains(seconds) else {
        throw .wrongMember("interval")
      }
      interval = max(seconds, 1)
    } else {
      interval = Self.usualInterval
    }
    until = UTCTime(
      seconds: session.context.now().seconds + Int64(min(life, Self.longestLife)))
    self.session = session
    self.asked = asked
  }

  /// An address of the provider's: the person is not to be led elsewhere in its name.
  private static func address(
    _ answer: ServiceAnswer, _ name: String, _ session: OpenIDSession
  ) throws(ExchangeProblem) -> RedirectURL {
    let url = try answer.requiredURL(name)
    guard url.scheme == .https else { throw .notHTTPS }
    guard session.client.origins.contains(url.origin) else { throw .foreignHost(url.origin) }
    return url
  }

  /// Asks until the provider knows how it ended, the time is over, or the sign-in is cancelled.
  ///
  /// - Returns: what the token endpoint gave; `account` proves it.
  /// - Throws: `.denied`, `.expired`, `.timedOut`, `.cancelled`.
  package func tokens() throws(SignInError) -> ServiceAnswer {
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
        // The network may come back; each time it is given twice as long (§3.5).
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

  /// Waits, and proves what comes.
  package func account(_ method: SignInMethod) throws(SignInError) -> Account {
    try account(of: try tokens(), method)
  }

  /// What `tokens` gave, not proved: for whoever hands it on and does that elsewhere.
  package func unproved(_ answer: ServiceAnswer) throws(SignInError) -> Account.Tokens {
    try session.tokens(of: answer)
  }

  /// Proves what `tokens` gave.
  package func account(
    of answer: ServiceAnswer, _ method: SignInMethod
  ) throws(SignInError) -> Account {
    try session.account(of: answer, asked, method)
  }
}

extension SignInError {
  /// Whether it lies in the network, and may be over at the next try.
  fileprivate var isPassing: Bool {
    guard case .exchange(.http(let error)) = cause else { return false }
    switch error {
    case .resolve, .connect, .disconnected, .timeout, .proxy: return true
    default: return false
    }
  }
}

extension DeviceAuthorization: Redacted {
  /// Where the person goes.
  package var description: String { "\(url)" }
}
