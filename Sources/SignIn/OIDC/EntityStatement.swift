/// Entity statement (OpenID Federation §3): a signed token of an entity about itself or a subordinate. It is not
/// trusted until its chain is verified from the trust anchor down.
struct EntityStatement: Sendable {
  static let type = "entity-statement+jwt"

  let token: String
  let issuer: String
  let subject: String
  let keys: KeySet
  let claims: TokenClaims

  init(
    _ token: String, issuer: String, subject: String, now: UTCTime
  ) throws(SignInError) {
    self.token = token
    do throws(SignInError) {
      let compact = try CompactToken(token, parts: 3)
      guard compact.header.type != nil else { throw .token(.wrongType("")) }
      try compact.header.check(types: [Self.type])
      claims = try TokenClaims(compact.parts[1])
      self.issuer = try claims.requiredText("iss")
      self.subject = try claims.requiredText("sub")
      _ = try claims.requiredMoment("exp")
      _ = try claims.requiredMoment("iat")
      try claims.checkEnd(now)
      try claims.checkIssue(now)
      // Extensions in `crit` must be understood (§3.1.1), and no extension is supported here.
      guard !claims.names.contains("crit") else { throw .token(.criticalExtension) }
      guard let keys = try claims.object("jwks") else { throw .token(.claimMissing("jwks")) }
      self.keys = try KeySet(keys)
    } catch {
      throw error.ofStatement
    }
    guard self.issuer == issuer else { throw .federation(.issuerWrong) }
    guard self.subject == subject else { throw .federation(.subjectWrong) }
  }

  func prove(with keys: KeySet) throws(SignInError) {
    _ = try mapError(try TokenVerifier(keys: keys).claims(signedIn: token, types: [Self.type])) {
      (error: SignInError) in
      error.ofStatement
    }
  }

  func authorityHints() throws(SignInError) -> [String] {
    return try mapError(try claims.texts("authority_hints") ?? []) { (_: SignInError) in
      SignInError.federation(.memberWrong("authority_hints"))
    }
  }

  /// Endpoint for statements about its subordinates (§8.1.1).
  func fetchEndpoint() throws(SignInError) -> RedirectURL {
    guard let text = try metadata("federation_entity")?["federation_fetch_endpoint"]?.text,
      let url = try? RedirectURL(text), url.scheme == .https
    else { throw .federation(.memberWrong("federation_fetch_endpoint")) }
    return url
  }

  /// Metadata of the subject for an entity type.
  func metadata(_ role: String) throws(SignInError) -> TokenClaims? {
    return try mapError(try claims.object("metadata")?.object(role)) { (_: SignInError) in
      SignInError.federation(.memberWrong("metadata"))
    }
  }
}

extension EntityStatement: Redacted {
  var description: String { "statement by \(issuer) about \(subject)" }
}
