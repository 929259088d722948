internal import CIECard
internal import RedirectFlow
internal import System

/// One question to the authorization endpoint, and what its answer must carry.
struct AuthorizationRequest: Sendable {
  /// What proves the answer to be ours (RFC 6749 §10.12).
  let state: String
  /// What proves the identity token to be ours.
  let nonce: String
  /// What proves that the code is redeemed by who asked for it (RFC 7636).
  let verifier: String
  /// Where the answer comes to.
  let returnAddress: RedirectURL
  /// What the person's browser is to open.
  let url: RedirectURL

  /// - Parameter makeListener: waits for the answer to this `state`, and tells where.
  init(
    _ session: OpenIDSession, _ method: OIDCSignIn, to returnAddress: RedirectURL, state: String
  ) throws(SignInError) {
    guard let endpoint = session.provider.authorization else {
      throw SignInError(.openID(.metadataMissing("authorization_endpoint")))
    }
    self.state = state
    self.returnAddress = returnAddress
    nonce = try SignInContext.randomLetters(43)
    verifier = try SignInContext.randomText(64)
    let challenge: String
    do throws(CryptoError) {
      challenge = Base64URL.encode(try HashAlgorithm.sha256.hash([UInt8](verifier.utf8)))
    } catch {
      throw SignInError(.cryptography)
    }
    let scope = method.scopes.joined(separator: " ")
    let client = session.client
    let now = Int(session.context.now().seconds)
    var claims: [JSON.Member] = [
      .init("iss", client.clientID), .init("aud", .array([.string(client.issuer)])),
      .init("iat", now), .init("exp", now + 300), .init("client_id", client.clientID),
      .init("response_type", "code"), .init("scope", scope),
      .init("redirect_uri", returnAddress.text), .init("state", state), .init("nonce", nonce),
      .init("code_challenge", challenge), .init("code_challenge_method", "S256"),
      .init("prompt", "consent"),
      .init("ui_locales", session.context.returnWords.language),
    ]
    if let level = method.level { claims.append(.init("acr_values", level.name)) }
    if method.answersByForm { claims.append(.init("response_mode", "form_post")) }
    url = endpoint.adding([
      QueryItem("client_id", client.clientID), QueryItem("response_type", "code"),
      QueryItem("scope", scope), QueryItem("code_challenge", challenge),
      QueryItem("code_challenge_method", "S256"),
      QueryItem("request", try session.signed(.object(claims))),
    ])
  }

  /// The code of an answer.
  ///
  /// - Parameter items: no name twice, the right `state` among them.
  func code(in items: [QueryItem], from session: OpenIDSession) throws(SignInError) -> String {
    let answer = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    guard answer["state"] == state else { throw SignInError(.otherSession) }
    // Whose answer it is comes before what it says (RFC 9207 §2.4).
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
  /// Where it leads.
  var description: String { "\(url)" }
}
