package import CIECard

/// Checks signed tokens (JWS in compact form, RFC 7515) with keys that are known beforehand.
package struct TokenVerifier: Sendable {
  private let keys: KeySet

  /// A verifier for what these keys sign.
  package init(keys: KeySet) { self.keys = keys }

  /// Checks everything, the signature first.
  ///
  /// - Returns: the claims, all of them true of this issuer.
  package func verify(
    _ token: String, _ expectations: TokenExpectations, now: UTCTime
  ) throws(TokenProblem) -> TokenClaims {
    let (claims, algorithm) = try signed(token, types: expectations.types)
    try expectations.check(claims, algorithm, now: now)
    return claims
  }

  /// Checks the signature alone: for documents whose claims have rules of their own.
  ///
  /// - Parameter types: what may stand in `typ`, in small letters; without `typ` the token is taken as one of them.
  package func claims(
    signedIn token: String, types: Set<String>
  ) throws(TokenProblem) -> TokenClaims {
    try signed(token, types: types).0
  }

  private func signed(
    _ text: String, types: Set<String>
  ) throws(TokenProblem) -> (TokenClaims, TokenAlgorithm) {
    let token = try CompactToken(text, parts: 3)
    // The library knows of algorithms that are forbidden here: it must not see them.
    let algorithm = try TokenAlgorithm(named: token.header.algorithm)
    try token.header.check(types: types)
    let key = try keys.key(token.header.keyID, for: algorithm)
    guard let signature = token.parts.last, signature.count == key.signatureLength else {
      throw .signatureInvalid
    }
    let payload = try JOSELibrary.verify(token.text, key.text)
    return (try TokenClaims(payload), algorithm)
  }
}
