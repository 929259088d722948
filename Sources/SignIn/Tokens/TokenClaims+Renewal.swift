/// Comparison of the ID token of a refresh with that of the sign-in (OpenID Connect Core §12.2).
extension TokenClaims {
  /// Claims of a signed token, without verification because it was verified on receipt.
  static func unproved(_ token: String) throws(TokenProblem) -> TokenClaims {
    try TokenClaims(try CompactToken(token, parts: 3).parts[1])
  }

  /// Compares a verified token with the former one.
  func checkContinues(_ former: TokenClaims) throws(TokenProblem) {
    guard try text("iss") == former.text("iss") else { throw .issuerWrong }
    guard try text("sub") == former.text("sub") else { throw .subjectWrong }
    guard try text("azp") == former.text("azp") else { throw .authorizedPartyWrong }
    // `nonce` is optional; if present, it must be that of the sign-in.
    if let nonce = try text("nonce"), try nonce != former.text("nonce") { throw .nonceWrong }
    if let moment = try moment("auth_time") {
      let latest = try former.requiredMoment("iat").seconds + TokenExpectations.skew
      guard try former.moment("auth_time").map({ $0 == moment }) ?? (moment.seconds <= latest)
      else { throw .authenticationTimeWrong }
    }
    if let level = try former.text("acr").flatMap(AuthenticationLevel.init) {
      guard let reached = try text("acr").flatMap(AuthenticationLevel.init), reached >= level else {
        throw .levelTooLow
      }
    }
  }
}
