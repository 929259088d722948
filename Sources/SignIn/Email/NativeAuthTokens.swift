internal import CIECard
internal import RedirectFlow
internal import System

/// What the token request gave, once the identity token is proved by the keys that the provider publishes beside its
/// issuer; never by a key that comes with the token.
struct NativeAuthTokens {
  private let line: ServiceLine
  private let method: EmailSignIn
  private let context: SignInContext

  init(_ line: ServiceLine, _ method: EmailSignIn, _ context: SignInContext) {
    self.line = line
    self.method = method
    self.context = context
  }

  /// The account of an answer.
  ///
  /// - Parameter before: what is refreshed; its claims stay where no new identity token comes.
  func account(
    of answer: ServiceAnswer, before: Account?
  ) async throws(SignInError) -> Account {
    let access: String
    do throws(ExchangeProblem) { access = try answer.requiredText("access_token") } catch {
      throw SignInError(error)
    }
    let seconds = answer.json?["expires_in"]?.integer.flatMap {
      (0...31_536_000).contains($0) ? $0 : nil
    }
    let tokens = Account.Tokens(
      access: access, refresh: answer.text("refresh_token") ?? before?.tokens?.refresh,
      identity: answer.text("id_token"),
      expires: seconds.map { UTCTime(seconds: context.now().seconds + Int64($0)) },
      scope: answer.text("scope"))
    if tokens.identity == nil, let before { return before.refreshed(tokens) }
    let claims = try await claims(of: tokens.identity)
    if let before {
      guard before.claims["sub"] == claims["sub"] else { throw SignInError(.otherSession) }
      return before.refreshed(tokens, claims)
    }
    return Account(
      service: context.service, method: EmailSignIn.name.rawValue, claims: claims,
      begun: context.now(), tokens: tokens)
  }

  private func claims(of token: String?) async throws(SignInError) -> AccountClaims {
    guard let token else { throw SignInError(.exchange(.missingMember("id_token"))) }
    let provider = try await get("v2.0/.well-known/openid-configuration")
    let keys = try await SignInError.onLine { () async throws(ExchangeProblem) in
      guard try provider.requiredURL("issuer").origin == method.authority.origin else {
        throw .wrongMember("issuer")
      }
      return try await line.get(try provider.requiredURL("jwks_uri"))
    }
    guard keys.isSuccess, let keys = keys.json else { throw SignInError(.status(keys.status)) }
    do throws(TokenProblem) {
      let verifier = TokenVerifier(keys: try KeySet(try TokenClaims(keys)))
      return AccountClaims(
        try verifier.verify(
          token,
          TokenExpectations(issuer: provider.text("issuer") ?? "", audience: method.clientID),
          now: context.now()))
    } catch { throw SignInError(.token(error)) }
  }

  private func get(_ path: StaticString) async throws(SignInError) -> ServiceAnswer {
    let answer = try await SignInError.onLine { () async throws(ExchangeProblem) in
      try await line.get(method.authority.appending(path))
    }
    guard answer.isSuccess else { throw SignInError(.status(answer.status)) }
    return answer
  }
}
