internal import Primitives

/// Verification of a service's tokens: issuer, audience, and keys that are known in advance or published by the service
/// itself; never a key that comes with a token.
struct TokenCheck: Sendable {
  private let expectations: TokenExpectations
  private let pinned: KeySet?

  /// Takes `issuer` and `audience`, both or neither, and `keys`, a file.
  init?(_ entry: inout ServiceEntry) throws(SignInError) {
    let (issuer, audience) = (try entry.optionalText("issuer"), try entry.optionalText("audience"))
    let file = try entry.file("keys")
    guard issuer != nil || audience != nil || file != nil else { return nil }
    guard let issuer else { throw .of(.missingMember("issuer")) }
    guard let audience else { throw .of(.missingMember("audience")) }
    pinned = try mapError(try file.map { file throws(SignInError) in try KeySet(file: file) }) {
      (_: SignInError) in SignInError.of(.wrongMember("keys"))
    }
    expectations = TokenExpectations(issuer: issuer, audience: audience)
  }

  func claims(of token: String, _ line: BankLine) throws(SignInError) -> TokenClaims {
    var keys = pinned
    if keys == nil { keys = try published(line) }
    guard let keys else { throw .token(.keyUnknown) }
    return try TokenVerifier(keys: keys).verify(token, expectations, now: line.context.now())
  }

  private func published(_ line: BankLine) throws(SignInError) -> KeySet {
    let provider = try line.get([".well-known", "openid-configuration"])
    guard provider.text("issuer") == expectations.issuer else {
      throw .exchange(.wrongMember("issuer"))
    }
    let keys = try line.document(named: "jwks_uri", in: provider)
    guard let json = keys.json else { throw .token(.keySetMalformed) }
    return try KeySet(TokenClaims(json))
  }
}
