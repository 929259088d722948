/// Values that the claims of a token must match; absent expectations are not checked.
struct TokenExpectations: Sendable {
  /// Maximum difference between the clocks of two computers, in seconds.
  static let skew: Int64 = 60

  /// `iss`, exactly.
  var issuer: String
  /// Client identifier that `aud` must contain.
  var audience: String
  var nonce: String?
  /// `sub` of a later token of the same person.
  var subject: String?
  /// Access token of the same response, compared with `at_hash` if that is present.
  var accessToken: String?
  /// Lowest authentication level, in `acr`.
  var level: AuthenticationLevel?
  /// Maximum age of the token in seconds, by `iat`.
  var maximumAge: Int64?
  /// Maximum age of the authentication in seconds, by `auth_time`, which is then required.
  var maximumAuthenticationAge: Int64?
  /// Allowed values of `typ`, in lower case.
  var types: Set<String> = ["jwt"]

  func check(
    _ claims: TokenClaims, _ algorithm: TokenAlgorithm, now: UTCTime
  ) throws(SignInError) {
    guard try claims.requiredText("iss") == issuer else { throw .token(.issuerWrong) }
    try checkAudience(claims)
    try checkTimes(claims, now: now)
    if let nonce {
      // Compared in constant time, because a nonce is a secret.
      guard ConstantTime.equal([UInt8](try claims.requiredText("nonce").utf8), [UInt8](nonce.utf8))
      else { throw .token(.nonceWrong) }
    }
    if let subject {
      guard try claims.requiredText("sub") == subject else { throw .token(.subjectWrong) }
    }
    if let accessToken, let hash = try claims.text("at_hash") {
      guard hash == (try Self.accessTokenHash(accessToken, algorithm)) else {
        throw .token(.accessTokenHashWrong)
      }
    }
    if let level {
      guard let reached = AuthenticationLevel(try claims.requiredText("acr")), reached >= level
      else { throw .token(.levelTooLow) }
    }
  }

  /// Checks `aud` and `azp` (OpenID Connect Core §3.1.3.7, 3 to 5).
  private func checkAudience(_ claims: TokenClaims) throws(SignInError) {
    guard let audiences = try claims.texts("aud") else { throw .token(.claimMissing("aud")) }
    guard audiences.contains(audience) else { throw .token(.audienceWrong) }
    let party = try claims.text("azp")
    if audiences.count > 1, party == nil { throw .token(.claimMissing("azp")) }
    if let party, party != audience { throw .token(.authorizedPartyWrong) }
  }

  private func checkTimes(_ claims: TokenClaims, now: UTCTime) throws(SignInError) {
    _ = try claims.requiredMoment("exp")
    let made = try claims.requiredMoment("iat")
    try claims.checkEnd(now)
    try claims.checkIssue(now)
    if let start = try claims.moment("nbf") {
      guard start.seconds <= now.seconds + Self.skew else { throw .token(.notYetValid) }
    }
    if let maximumAge {
      guard now.seconds - made.seconds <= maximumAge + Self.skew else { throw .token(.tooOld) }
    }
    if let maximumAuthenticationAge {
      let moment = try claims.requiredMoment("auth_time")
      guard now.seconds - moment.seconds <= maximumAuthenticationAge + Self.skew else {
        throw .token(.tooOld)
      }
    }
  }

  /// Left half of the hash of an access token (OpenID Connect Core §3.1.3.6).
  static func accessTokenHash(
    _ token: String, _ algorithm: TokenAlgorithm
  ) throws(SignInError) -> String {
    guard let hash = try? algorithm.hash.hash([UInt8](token.utf8)) else { throw .token(.library) }
    return Base64URL.encode([UInt8](hash.prefix(hash.count / 2)))
  }
}

extension TokenExpectations: Redacted {
  var description: String { "expectations of \(issuer)" }
}
