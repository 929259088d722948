internal import CIECard
internal import System

/// What the identity token of a refresh has in common with the one of the sign-in (OpenID Connect Core §12.2).
extension TokenClaims {
  /// What a signed token says, for one that was proved when it came.
  static func unproved(_ token: String) throws(TokenProblem) -> TokenClaims {
    try TokenClaims(try CompactToken(token, parts: 3).parts[1])
  }

  /// Compares it, once it is proved itself, with the token before.
  func checkContinues(_ former: TokenClaims) throws(TokenProblem) {
    guard try text("iss") == former.text("iss") else { throw .issuerWrong }
    guard try text("sub") == former.text("sub") else { throw .subjectWrong }
    guard try text("azp") == former.text("azp") else { throw .authorizedPartyWrong }
    // None need come; one that does is that of the sign-in.
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
