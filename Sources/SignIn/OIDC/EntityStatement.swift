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

/// Trust marks: statements of an authority that an entity complies with rules (OpenID Federation §7).
extension EntityStatement {
  private static let markLimit = 16

  /// Finds a trust mark issued by the anchor itself, and verifies it.
  ///
  /// - Throws: `markMissing`, or the reason why verification failed.
  func proveMark(
    _ mark: String, of anchor: String, with keys: KeySet, now: UTCTime
  ) throws(SignInError) {
    guard case .array(let marks)? = claims["trust_marks"] else { throw .federation(.markMissing) }
    // Members beside the token only select the mark: `id` in CIE's rules, later `trust_mark_type`.
    let own = marks.prefix(Self.markLimit).filter {
      $0["id"]?.text == mark || $0["trust_mark_type"]?.text == mark
    }
    guard let token = own.first?["trust_mark"]?.text else { throw .federation(.markMissing) }
    do throws(SignInError) {
      let said = try TokenVerifier(keys: keys).claims(signedIn: token, types: ["trust-mark+jwt"])
      guard try said.requiredText("iss") == anchor else { throw .token(.issuerWrong) }
      guard try said.requiredText("sub") == subject else { throw .token(.subjectWrong) }
      let names = [try said.text("id"), try said.text("trust_mark_type")]
      guard names.contains(mark) else { throw .token(.claimMalformed("id")) }
      try said.checkIssue(now)
      try said.checkEnd(now)
    } catch {
      throw error.ofStatement
    }
  }
}
