/// Verifies signed tokens (JWS in compact form, RFC 7515) with keys known in advance.
struct TokenVerifier: Sendable {
  private let keys: KeySet

  init(keys: KeySet) { self.keys = keys }

  /// Verifies the signature, then the claims.
  ///
  /// - Returns: the claims, all of them verified.
  func verify(
    _ token: String, _ expectations: TokenExpectations, now: UTCTime
  ) throws(SignInError) -> TokenClaims {
    let (claims, algorithm) = try signed(token, types: expectations.types)
    try expectations.check(claims, algorithm, now: now)
    return claims
  }

  /// Verifies the signature alone: for documents with different rules for claims.
  ///
  /// - Parameter types: allowed values of `typ`, in lower case; a token without `typ` is accepted.
  func claims(
    signedIn token: String, types: Set<String>
  ) throws(SignInError) -> TokenClaims {
    try signed(token, types: types).0
  }

  private func signed(
    _ text: String, types: Set<String>
  ) throws(SignInError) -> (TokenClaims, TokenAlgorithm) {
    let token = try CompactToken(text, parts: 3)
    // The library supports algorithms that are forbidden here, and must not see them.
    let algorithm = try TokenAlgorithm(named: token.header.algorithm)
    try token.header.check(types: types)
    let key = try keys.key(token.header.keyID, for: algorithm)
    guard let signature = token.parts.last, signature.count == key.signatureLength else {
      throw .token(.signatureInvalid)
    }
    let payload = try JOSELibrary.verify(token.text, key.text)
    return (try TokenClaims(payload), algorithm)
  }
}
