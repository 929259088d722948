internal import RedirectFlow
internal import CIECard
internal import System

/// What a token must say to be ours. What is absent here is not asked for.
package struct TokenExpectations: Sendable {
  /// How far the clocks of two computers may differ, in seconds.
  package static let skew: Int64 = 60

  /// `iss`, exactly.
  package var issuer: String
  /// Who we are, in `aud`.
  package var audience: String
  /// What we sent, in `nonce`.
  package var nonce: String?
  /// Of whom it must be, in `sub`: a later token of the same person.
  package var subject: String?
  /// The access token that came with it, to be compared with `at_hash` where that is there.
  package var accessToken: String?
  /// The lowest level of authentication, in `acr`.
  package var level: AuthenticationLevel?
  /// How long ago the token may have been made, in seconds: of `iat`.
  package var maximumAge: Int64?
  /// How long ago the person may have authenticated, in seconds: of `auth_time`, which must be there then.
  package var maximumAuthenticationAge: Int64?
  /// The kinds of token that may stand in `typ`, in small letters.
  package var types: Set<String> = ["jwt"]

  /// For a token of this issuer to us.
  package init(issuer: String, audience: String, nonce: String? = nil) {
    self.issuer = issuer
    self.audience = audience
    self.nonce = nonce
  }

  /// Compares.
  func check(
    _ claims: TokenClaims, _ algorithm: TokenAlgorithm, now: UTCTime
  ) throws(TokenProblem) {
    guard try claims.requiredText("iss") == issuer else { throw .issuerWrong }
    try checkAudience(claims)
    try checkTimes(claims, now: now)
    if let nonce {
      // Once it has come this far it is compared in constant time like any secret.
      guard ConstantTime.equal([UInt8](try claims.requiredText("nonce").utf8), [UInt8](nonce.utf8))
      else { throw .nonceWrong }
    }
    if let subject {
      guard try claims.requiredText("sub") == subject else { throw .subjectWrong }
    }
    if let accessToken, let hash = try claims.text("at_hash") {
      guard hash == (try Self.accessTokenHash(accessToken, algorithm)) else {
        throw .accessTokenHashWrong
      }
    }
    if let level {
      guard let reached = AuthenticationLevel(try claims.requiredText("acr")), reached >= level
      else { throw .levelTooLow }
    }
  }

  /// OpenID Connect Core §3.1.3.7, 3 to 5.
  private func checkAudience(_ claims: TokenClaims) throws(TokenProblem) {
    guard let audiences = try claims.texts("aud") else { throw .claimMissing("aud") }
    guard audiences.contains(audience) else { throw .audienceWrong }
    let party = try claims.text("azp")
    if audiences.count > 1, party == nil { throw .claimMissing("azp") }
    if let party, party != audience { throw .authorizedPartyWrong }
  }

  private func checkTimes(_ claims: TokenClaims, now: UTCTime) throws(TokenProblem) {
    let end = try claims.requiredMoment("exp")
    let made = try claims.requiredMoment("iat")
    guard now.seconds < end.seconds + Self.skew else { throw .expired }
    guard made.seconds <= now.seconds + Self.skew else { throw .issuedInFuture }
    if let start = try claims.moment("nbf") {
      guard start.seconds <= now.seconds + Self.skew else { throw .notYetValid }
    }
    if let maximumAge {
      guard now.seconds - made.seconds <= maximumAge + Self.skew else { throw .tooOld }
    }
    if let maximumAuthenticationAge {
      let moment = try claims.requiredMoment("auth_time")
      guard now.seconds - moment.seconds <= maximumAuthenticationAge + Self.skew else {
        throw .tooOld
      }
    }
  }

  /// The left half of the hash of an access token (OpenID Connect Core §3.1.3.6).
  static func accessTokenHash(
    _ token: String, _ algorithm: TokenAlgorithm
  ) throws(TokenProblem) -> String {
    do throws(CryptoError) {
      let hash = try algorithm.hash.hash([UInt8](token.utf8))
      return Base64URL.encode([UInt8](hash.prefix(hash.count / 2)))
    } catch {
      throw .library
    }
  }
}

extension TokenExpectations: Redacted {
  /// Whose token is expected.
  package var description: String { "expectations of \(issuer)" }
}
