/// Claims of the userinfo endpoint (OpenID Connect Core §5.3).
extension OpenIDSession {
  /// Requests the claims: an object, a signed token, or a signed token that is encrypted to the client.
  ///
  /// - Parameter subject: `sub` of the ID token; claims with another one are refused (§5.3.2).
  /// - Returns: `nil` if the provider has no such endpoint.
  func userInfo(
    access: String, subject: String
  ) throws(SignInError) -> TokenClaims? {
    guard let endpoint = provider.userInfo else { return nil }
    let types = "application/jose, application/jwt, application/json"
    let answer = try line.get(endpoint, bearer: access, [.init(name: "Accept", value: types)])
      .granted()
    let claims: TokenClaims
    if let token = answer.text {
      claims = try signedInfo(token)
    } else {
      // A plain object is the default without a registered signature (§5.3.2).
      guard !client.signsUserInfo else { throw SignInError(.openID(.notSigned)) }
      claims = try Self.claims(of: answer)
    }
    guard try claims.requiredText("sub") == subject else {
      throw .token(.subjectWrong)
    }
    return claims
  }

  private func signedInfo(_ token: String) throws(SignInError) -> TokenClaims {
    let signed = try opened(token)
    let claims = try withKeys { verifier throws(SignInError) in
      try verifier.claims(signedIn: signed, types: ["jwt"])
    }
    guard try claims.requiredText("iss") == client.issuer else { throw .token(.issuerWrong) }
    guard try claims.texts("aud")?.contains(client.clientID) == true else {
      throw .token(.audienceWrong)
    }
    try claims.checkEnd(context.now())
    return claims
  }
}
