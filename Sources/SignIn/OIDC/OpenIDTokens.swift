/// Requests to the token and revocation endpoints, and verification of their responses.
extension OpenIDSession {
  /// Values that an ID token must match, beyond the provider's issuer and signature.
  struct Asked: Sendable {
    /// `nonce` of the request; `nil` in the device grant, which has none.
    var nonce: String?
    /// Lowest level that is accepted.
    var level: AuthenticationLevel?
  }

  /// Redeems an authorization code for an account.
  func account(
    _ grant: [QueryItem], _ asked: Asked, _ method: SignInMethod
  ) throws(SignInError) -> Account {
    try account(of: try post(grant, to: provider.token).granted(), asked, method)
  }

  /// Creates an account from a token response: verifies its ID token and adds the claims of the userinfo endpoint.
  func account(
    of answer: ServiceAnswer, _ asked: Asked, _ method: SignInMethod
  ) throws(SignInError) -> Account {
    let tokens = try tokens(of: answer)
    guard let identity = tokens.identity else {
      throw .exchange(.missingMember("id_token"))
    }
    let proved = try proved(identity, asked, access: tokens.access)
    let subject = try proved.requiredText("sub")
    var claims = AccountClaims(proved).all
    if let further = try userInfo(access: tokens.access, subject: subject) {
      let names = Set(claims.map(\.name))
      claims += AccountClaims(further).all.filter { !names.contains($0.name) }
    }
    return Account(
      service: context.service, method: method.rawValue, claims: AccountClaims(claims),
      begun: context.now(), tokens: tokens)
  }

  /// Refreshes the tokens of an account (RFC 6749 §6). The refresh token may be rotated; the ID token is kept, because
  /// CIE issues no new one, or verified as a continuation of the former (OpenID Connect Core §12.2); an account that was
  /// kept without one gets none.
  func refreshed(_ account: Account) throws(SignInError) -> Account {
    guard let token = account.tokens?.refresh else { throw SignInError(.refreshTokenExpired) }
    let answer = try post(
      [QueryItem("grant_type", "refresh_token"), QueryItem("refresh_token", token)],
      to: provider.token)
    if answer.text("error") == OpenIDRefusal.invalidGrant.rawValue {
      throw SignInError(.refreshTokenExpired)
    }
    var new = try tokens(of: try answer.granted())
    if let identity = new.identity {
      let proved = try proved(identity, Asked(), access: new.access)
      let former = try account.tokens?.identity.map { former throws(SignInError) in
        try opened(former)
      }
      guard try proved.requiredText("sub") == account.claims["sub"].first else {
        throw .token(.subjectWrong)
      }
      if let former { try proved.checkContinues(try .unproved(former)) }
    }
    new.refresh = new.refresh ?? token
    new.identity = account.tokens?.identity.map { new.identity ?? $0 }
    new.scope = new.scope ?? account.tokens?.scope
    return account.refreshed(new)
  }

  /// Revokes the tokens (RFC 7009): the refresh token, and the access token, too, because the rules of SPID demand its
  /// end, and a provider need not include it (§2.1).
  ///
  /// - Throws: after both requests, if the provider refused one.
  func revoke(_ account: Account) throws(SignInError) {
    guard let tokens = account.tokens, let endpoint = provider.revocation else { return }
    var refusal: SignInError?
    for (token, kind) in [(tokens.refresh, "refresh_token"), (tokens.access, "access_token")] {
      guard let token else { continue }
      do throws(SignInError) {
        let form = [QueryItem("token", token), QueryItem("token_type_hint", kind)]
        _ = try post(form, to: endpoint).granted()
      } catch {
        guard !error.isOutage else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }

  /// Tokens of a response, not verified yet.
  func tokens(of answer: ServiceAnswer) throws(SignInError) -> Account.Tokens {
    return try mapError(try Account.Tokens(answer, at: context.now())) {
      $0.cause == .exchange(.wrongMember("token_type")) ? SignInError(.openID(.tokenTypeWrong)) : $0
    }
  }

  private func proved(
    _ token: String, _ asked: Asked, access: String
  ) throws(SignInError) -> TokenClaims {
    var expectations = TokenExpectations(
      issuer: client.issuer, audience: client.clientID, nonce: asked.nonce)
    expectations.accessToken = access
    expectations.level = asked.level
    let (signed, expected, now) = (try opened(token), expectations, context.now())
    return try withKeys { verifier throws(SignInError) in
      try verifier.verify(signed, expected, now: now)
    }
  }

  /// Decrypts an encrypted token to the signed one; returns a token that is only signed unchanged.
  ///
  /// - Throws: `clientKey` if this client has no key for decryption.
  func opened(_ token: String) throws(SignInError) -> String {
    guard token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4 else { return token }
    let bytes = try mapError(try key.decrypt(token)) { (error: SignInError) in
      error.cause == .token(.clientKeyOnlySigns)
        ? SignInError(.clientKey(.onlySigns, path: client.keyFile)) : error
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .token(.malformed)
    }
    return text
  }
}

extension OpenIDClient {
  /// Opens a session with the provider and refreshes the tokens.
  ///
  /// - Throws: `.refreshTokenExpired`, without a request if there is no refresh token.
  func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    guard account.tokens?.refresh != nil else { throw SignInError(.refreshTokenExpired) }
    return try OpenIDSession(self, context).refreshed(account)
  }

  func signOut(_ account: Account, _ context: SignInContext) throws(SignInError) {
    try OpenIDSession(self, context).revoke(account)
  }
}

extension OpenIDSession.Asked: Redacted {
  /// Level only, because the nonce is secret.
  var description: String { level.map { "level \($0.rawValue)" } ?? "any level" }
}
