/// Token response, whose ID token is verified with the keys that the provider publishes for its issuer; never with a
/// key that comes with the token.
extension NativeAuthConversation {
  /// - Parameter before: account to refresh; its claims stay without a new ID token, and a new one must continue the
  ///   former (OpenID Connect Core §12.2).
  func account(
    of answer: ServiceAnswer, before: Account? = nil
  ) throws(SignInError) -> Account {
    var tokens = try Account.Tokens(answer, at: context.now())
    let identity = tokens.identity
    tokens.refresh = tokens.refresh ?? before?.tokens?.refresh
    tokens.identity = identity ?? before?.tokens?.identity
    if identity == nil, let before { return before.refreshed(tokens) }
    let proved = try claims(of: identity)
    let claims = AccountClaims(proved)
    guard let before else {
      return Account(
        service: context.service, method: SignInMethod.email.rawValue, claims: claims,
        begun: context.now(), tokens: tokens)
    }
    guard before.claims["sub"] == claims["sub"] else {
      throw SignInError(.otherSession)
    }
    if let former = before.tokens?.identity { try proved.checkContinues(.unproved(former)) }
    return before.refreshed(tokens, claims)
  }

  private func claims(of token: String?) throws(SignInError) -> TokenClaims {
    guard let token else { throw .exchange(.missingMember("id_token")) }
    let provider = try get(
      method.authority.appending("v2.0/.well-known/openid-configuration"))
    let issuer = try provider.requiredURL("issuer")
    guard method.issuer.map({ $0 == issuer }) ?? (issuer.origin == method.authority.origin) else {
      throw .exchange(.wrongMember("issuer"))
    }
    guard let keys = try get(try provider.requiredURL("jwks_uri")).bytes else {
      throw .exchange(.notJSON(status: 200))
    }
    let claims = try TokenVerifier(keys: try KeySet(json: keys)).verify(
      token,
      TokenExpectations(issuer: provider.text("issuer") ?? "", audience: method.clientID),
      now: context.now())
    // Required, because a later token must be of the same person.
    _ = try claims.requiredText("sub")
    return claims
  }

  private func get(_ url: RedirectURL) throws(SignInError) -> ServiceAnswer {
    let answer = try line.get(url)
    guard answer.isSuccess else { throw SignInError(.status(answer.status)) }
    return answer
  }
}

extension Account.Tokens {
  /// Takes a token response (RFC 6749 §5.1), without verification.
  init(_ answer: ServiceAnswer, at now: UTCTime) throws(SignInError) {
    access = try answer.requiredText("access_token")
    // Other token types must not be used (RFC 6749 §7.1).
    guard try answer.requiredText("token_type").lowercased() == "bearer" else {
      throw .exchange(.wrongMember("token_type"))
    }
    refresh = answer.text("refresh_token")
    identity = answer.text("id_token")
    expires = answer.integer("expires_in", in: 0...31_536_000).map {
      UTCTime(seconds: now.seconds + Int64($0))
    }
    scope = answer.text("scope")
  }
}

extension ServiceAnswer {
  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    json?[name]?.integer.flatMap { range.contains($0) ? $0 : nil }
  }
}
