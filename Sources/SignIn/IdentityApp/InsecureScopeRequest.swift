internal import CIECard
internal import RedirectFlow
internal import System

/// The original identity app's protocol: ask, show a link, poll, fetch (Civic Connect for iOS, `Services`). **Insecure**,
/// see `InsecureUserData`; it is spoken with servers on this machine alone.
struct InsecureScopeRequest: Sendable {
  /// How often the server is asked, and how seldom while the network fails.
  static let interval = Duration.seconds(5)
  static let longestInterval = Duration.seconds(60)
  /// The longest time that a server may wait for the person, in seconds: a day.
  private static let timeoutLimit = 86_400

  private let method: IdentityAppSignIn
  private let entry: InsecureScopeRequestEntry
  private let context: SignInContext
  private let line: ServiceLine

  init(_ method: IdentityAppSignIn, _ entry: InsecureScopeRequestEntry, _ context: SignInContext) {
    self.method = method
    self.entry = entry
    self.context = context
    line = context.line(to: [entry.base.origin])
  }

  /// Asks the server to begin.
  func begin() async throws(SignInError) -> SignInState {
    // Without it the answer could not be read: the person is not asked for nothing.
    _ = try secret()
    method.hooks.statusChanged(.fetchingScopeRequest)
    let answer = try await send(
      ["scopeRequest", "appToApp", "verifyPartner"],
      .object([
        .init("appId", entry.appID), .init("mobileId", entry.mobileID),
        .init("verificationLevel", method.scope.verificationLevel),
        .init("civicConnect", .object([.init("type", "linux"), .init("version", "1.0.0")])),
      ]))
    guard let text = answer.text("scopeRequestString"), !text.isEmpty,
      let identifier = answer.text("uuid"), answer.json?["isTest"]?.isTrue == true,
      let seconds = answer.json?["timeout"]?.integer, (0...Self.timeoutLimit).contains(seconds)
    else { throw .identityApp(.cannotParseResponseData, context) }
    guard (1...64).contains(identifier.utf8.count),
      identifier.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || UInt8(hexadecimalDigit: $0) != nil })
    else { throw .identityApp(.invalidRequest, context) }
    guard let link = entry.link(text) else { throw .identityApp(.invalidUrl, context) }
    method.hooks.statusChanged(.launching)
    return state(link, identifier, until: UTCTime(seconds: context.now().seconds + Int64(seconds)))
  }

  private func state(_ link: RedirectURL, _ identifier: String, until end: UTCTime) -> SignInState {
    .browserRequired(
      BrowserRequired(link, until: end) { () async throws(SignInError) in
        do throws(SignInError) {
          return try await poll(identifier, until: end, again: state(link, identifier, until: end))
        } catch {
          if error.isCancelled { await withdraw(identifier) }
          throw error
        }
      })
  }

  /// Asks until the person has answered, the server's time is over, or somebody ends it. When this program's patience
  /// is over before the server's, the same state can be waited for again.
  private func poll(
    _ identifier: String, until end: UTCTime, again: SignInState
  ) async throws(SignInError) -> SignInState {
    let patience = context.endOfPatience
    var interval = Self.interval
    while context.now() < end {
      guard context.now() < patience else {
        throw .identityApp(.userDataNotAvailable, context, again: again)
      }
      method.hooks.statusChanged(.pollingForUserData)
      var answer: ServiceAnswer?
      do throws(SignInError) {
        answer = try await send(["scopeRequest", identifier])
        interval = Self.interval
      } catch {
        guard error.mayPass else { throw error }
        // Doubled until the network, or the server, has recovered.
        interval = min(max(interval * 2, .seconds(error.retryAfter)), Self.longestInterval)
      }
      if let answer, answer.status != 202, answer.json?["statusCode"]?.integer != 202 {
        return try await account(answer)
      }
      try await context.pause(interval)
    }
    throw .identityApp(.scopeRequestTimeOut, context)
  }

  /// Tells the server that nobody waits any more. The kit has no word for it; a server that does not know this one lets
  /// its time run out.
  private func withdraw(_ identifier: String) async {
    guard let url = entry.base.appending(segments: ["scopeRequest", identifier]) else { return }
    _ = try? await context.lastLine(to: [entry.base.origin]).delete(url)
  }

  /// What the person's answer leads to.
  private func account(_ answer: ServiceAnswer) async throws(SignInError) -> SignInState {
    method.hooks.statusChanged(.authorizing)
    guard let token = answer.text("authResponse"), let action = answer.text("action"),
      let type = answer.text("type")
    else { throw .identityApp(.authenticationUnknownError, context) }
    switch (action, type) {
    case ("data-received", "code"), ("data-dispatched", "code"): break
    case ("mobile-upgrade", _): throw .identityApp(.mobileUpgrade, context)
    case ("user-cancelled", _): throw .identityApp(.userCancelled, context)
    case ("verify-error", _): throw .identityApp(.verifyError, context)
    default: throw .identityApp(.authenticationUnknownError, context)
    }
    let claims =
      method.hooks.shouldFetch(token)
      ? try await data(token) : AccountClaims([AccountClaims.Claim]())
    return .completed(
      Account(
        service: context.service, method: IdentityAppSignIn.name.rawValue, claims: claims,
        begun: context.now(),
        tokens: Account.Tokens(
          access: token, refresh: nil, identity: nil, expires: nil, scope: method.scope.rawValue)))
  }

  private func data(_ token: String) async throws(SignInError) -> AccountClaims {
    method.hooks.statusChanged(.fetchingUserData)
    let answer = try await send(
      ["scopeRequest", "appToApp", "connectXCtr"], .object([.init("jwtToken", token)]))
    guard let data = try? InsecureUserData(answer) else {
      throw .identityApp(.cannotParseResponseData, context)
    }
    guard data.isConsistent else { throw .identityApp(.verificationFailed, context) }
    let secret = try secret()
    guard let text = try? data.decrypted(with: secret) else {
      throw .identityApp(.decryptionFailed, context)
    }
    guard let claims = AccountClaims(identityAppData: text) else {
      throw .identityApp(.decodingFailed, context)
    }
    return claims
  }

  /// The secret that the server shares with us, out of a file that nobody else can read.
  private func secret() throws(SignInError) -> Secret {
    guard let bytes = try? PrivateFile.read(entry.secretFile, limit: 256) else {
      throw .identityApp(.secretNotFound, context)
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard line.count == InsecureUserData.secretLength else {
      throw .identityApp(.secretNotFound, context)
    }
    return Secret(Array(line))
  }

  /// POST of an object, or GET without one.
  private func send(
    _ path: [String], _ body: JSON? = nil
  ) async throws(SignInError) -> ServiceAnswer {
    guard let url = entry.base.appending(segments: path) else {
      throw .identityApp(.invalidRequest, context)
    }
    let answer = try await SignInError.onIdentityAppLine(context) {
      () async throws(ExchangeProblem) in
      if let body { try await line.post(body, to: url) } else { try await line.get(url) }
    }
    switch answer.status {
    case 200..<300: return answer
    case 429:
      throw SignInError(
        .tooManyRequests(retryAfter: answer.retryAfter), number: answer.status,
        correlationID: context.processID)
    // The server does not know, or no longer, what it is asked about.
    case 404, 410: throw .identityApp(.invalidSession, context)
    default: throw .identityApp(IdentityAppCode(status: answer.status), context)
    }
  }
}
