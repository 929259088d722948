/// Authorization request (OpenID Connect Core §3.1.2.1), and the values that its response must match.
struct AuthorizationRequest: Sendable {
  /// `state`: binds the response to this request (RFC 6749 §10.12).
  let state: String
  /// `nonce`: binds the ID token to this request.
  let nonce: String
  /// PKCE code verifier: proves that the code is redeemed by the client that requested it (RFC 7636).
  let verifier: String
  let returnAddress: String
  let url: RedirectURL

  /// - Parameter returnAddress: redirect URI at which the response with this `state` is awaited.
  init(
    _ session: OpenIDSession, _ method: OIDCSignIn, to returnAddress: String, state: String
  ) throws(SignInError) {
    guard let endpoint = session.provider.authorization else {
      throw SignInError(.openID(.metadataMissing("authorization_endpoint")))
    }
    self.state = state
    self.returnAddress = returnAddress
    nonce = try SignInContext.randomLetters(43)
    verifier = try SignInContext.randomText(64)
    let hash = try mapError(try HashAlgorithm.sha256.hash([UInt8](verifier.utf8))) {
      (_: CryptoError) in SignInError(.cryptography)
    }
    let client = session.client
    let level = method.level ?? session.provider.usualLevel
    let all: [(name: String, value: String?)] = [
      ("client_id", client.clientID), ("response_type", "code"),
      ("scope", method.scopes.joined(separator: " ")), ("redirect_uri", returnAddress),
      ("state", state), ("nonce", nonce), ("code_challenge", Base64URL.encode(hash)),
      ("code_challenge_method", "S256"), ("prompt", "consent"),
      ("ui_locales", session.context.returnWords.language), ("acr_values", level?.name),
      ("response_mode", method.answersByForm ? "form_post" : nil),
    ]
    let parameters = all.compactMap { name, value in value.map { QueryItem(name, $0) } }
    let asked = Self.asked(method.claims)
    guard session.provider.readsRequestObjects else {
      url = endpoint.adding(parameters + asked.map { QueryItem($0.name, $0.value.text) })
      return
    }
    let now = Int(session.context.now().seconds)
    let claims: [JSON.Member] =
      [
        .init("iss", client.clientID), .init("aud", .array([.string(client.issuer)])),
        .init("iat", now), .init("exp", now + 300),
      ] + parameters.map { .init($0.name, $0.value) } + asked
    url = endpoint.adding(
      parameters.filter { Self.outsideToo.contains($0.name) }
        + [QueryItem("request", try session.signed(.object(claims)))])
  }

  /// The parameter `claims` (Core §5.5): from the userinfo endpoint, because SPID's rules allow no data of a person in
  /// the ID token.
  private static func asked(_ claims: [String]) -> [JSON.Member] {
    guard !claims.isEmpty else { return [] }
    let userInfo = JSON.object(claims.map { JSON.Member($0, JSON.null) })
    return [JSON.Member("claims", .object([JSON.Member("userinfo", userInfo)]))]
  }

  /// Parameters that are repeated outside the request object: those that make it a request of OAuth 2.0 and of OpenID
  /// Connect (Core §6.1), and those that the CIE's rules require there.
  private static let outsideToo: Set<String> = [
    "client_id", "response_type", "scope", "redirect_uri", "code_challenge",
    "code_challenge_method",
  ]

  /// - Parameter items: no name twice, the right `state` among them.
  func code(in items: [QueryItem], from session: OpenIDSession) throws(SignInError) -> String {
    let answer = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    guard answer["state"] == state else { throw SignInError(.otherSession) }
    // The issuer is checked before the content of the response (RFC 9207 §2.4).
    if let issuer = answer["iss"] {
      guard issuer == session.client.issuer else { throw SignInError(.otherSession) }
    } else if session.provider.namesItself {
      throw SignInError(.otherSession)
    }
    switch (answer["code"], answer["error"]) {
    case (nil, let error?): throw SignInError(refusal: error, answer["error_description"])
    case (let code?, nil) where !code.isEmpty: return code
    default: throw SignInError(.openID(.answerMalformed))
    }
  }
}

extension AuthorizationRequest: Redacted {
  var description: String { "\(url)" }
}
