internal import Synchronization

/// Session with one provider: its metadata, its keys, and the client's key.
final class OpenIDSession: Sendable {
  let client: OpenIDClient
  let provider: OpenIDProvider
  let key: ClientKey
  let context: SignInContext
  let line: ServiceLine
  private let known = Mutex<KeySet?>(nil)

  /// Reads the client's key and gets the provider metadata: by discovery, or by a trust chain if the description names
  /// a trust anchor.
  init(_ client: OpenIDClient, _ context: SignInContext) throws(SignInError) {
    self.client = client
    self.context = context
    key = try ClientKey(file: client.keyFile)
    let line = context.line(to: client.origins)
    self.line = line
    let claims =
      if let anchor = client.anchor {
        try TrustChain(anchor: anchor, line: line, now: context.now).metadata(of: client.issuer)
      } else {
        try Self.discovered(client, line)
      }
    provider = try OpenIDProvider(claims, for: client)
  }

  private static func discovered(
    _ client: OpenIDClient, _ line: ServiceLine
  ) throws(SignInError) -> TokenClaims {
    let url = try OpenIDClient.wellKnown("openid-configuration", of: client.issuer)
    return try claims(of: try line.get(url))
  }

  static func claims(of answer: ServiceAnswer) throws(SignInError) -> TokenClaims {
    try TokenClaims(try answer.granted().requiredJSON())
  }

  /// Posts a form with client authentication by a signed JWT (RFC 7523 §2.2).
  func post(
    _ fields: [QueryItem], to endpoint: RedirectURL
  ) throws(SignInError) -> ServiceAnswer {
    let proof = try assertion(for: endpoint)
    let form = HTTPForm(
      fields + [
        QueryItem("client_id", client.clientID),
        QueryItem(
          "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        QueryItem("client_assertion", proof),
      ])
    return try line.post(form, to: endpoint)
  }

  /// Client assertion for the token endpoint as audience, as the CIE's rules demand; for another endpoint, that one is
  /// a second audience.
  private func assertion(for endpoint: RedirectURL) throws(SignInError) -> String {
    let now = Int(context.now().seconds)
    let audiences = [provider.token.text] + (endpoint == provider.token ? [] : [endpoint.text])
    let audience =
      audiences.count == 1 ? JSON.string(audiences[0]) : .array(audiences.map(JSON.string))
    return try signed(
      .object([
        .init("iss", client.clientID), .init("sub", client.clientID), .init("aud", audience),
        .init("jti", try SignInContext.randomLetters(32)), .init("iat", now),
        .init("exp", now + 120),
      ]))
  }

  func signed(_ claims: JSON) throws(SignInError) -> String {
    return try mapError(try key.sign(claims)) { (_: SignInError) in
      SignInError(.clientKey(.unusable, path: client.keyFile))
    }
  }

  /// Calls `body` with the provider's keys, and again with fresh ones if the provider may have rotated them.
  func withKeys<Value: Sendable>(
    _ body: @Sendable (TokenVerifier) throws(SignInError) -> Value
  ) throws(SignInError) -> Value {
    let known = provider.givenKeys ?? known.withLock { $0 }
    do throws(SignInError) {
      if let known { return try body(TokenVerifier(keys: known)) }
    } catch {
      guard [.token(.keyUnknown), .token(.signatureInvalid)].contains(error.cause),
        provider.keys != nil
      else { throw error }
    }
    guard let address = provider.keys else { throw .token(.keyUnknown) }
    let fresh = try KeySet(try Self.claims(of: try line.get(address)))
    self.known.withLock { $0 = fresh }
    return try body(TokenVerifier(keys: fresh))
  }
}

extension SignInContext {
  /// Random letters and digits only; the CIE's rules demand at least 32 for `state` and `nonce`.
  static func randomLetters(_ count: Int) throws(SignInError) -> String {
    var text = ""
    while text.utf8.count < count {
      text += try randomText(count).filter { $0.isLetter || $0.isNumber }
    }
    return String(text.prefix(count))
  }
}
