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
  let returnAddress: String
  /// What the person's browser is to open.
  let url: RedirectURL

  /// - Parameter returnAddress: where the answer to this `state` is waited for.
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
    let challenge: String
    do throws(CryptoError) {
      challenge = Base64URL.encode(try HashAlgorithm.sha256.hash([UInt8](verifier.utf8)))
    } catch {
      throw SignInError(.cryptography)
    }
    let client = session.client
    let level = method.level ?? session.provider.usualLevel
    let all: [(name: String, value: String?)] = [
      ("client_id", client.clientID), ("response_type", "code"),
      ("scope", method.scopes.joined(separator: " ")), ("redirect_uri", returnAddress),
      ("state", state), ("nonce", nonce), ("code_challenge", challenge),
      ("code_challenge_method", "S256"), ("prompt", "consent"),
      ("ui_locales", session.context.returnWords.language), ("acr_values", level?.name),
      ("response_mode", method.answersByForm ? "form_post" : nil),
    ]
    let parameters = all.compactMap { name, value in value.map { QueryItem(name, $0) } }
    guard session.provider.readsRequestObjects else {
      url = endpoint.adding(parameters)
      return
    }
    let now = Int(session.context.now().seconds)
    let claims: [JSON.Member] =
      [
        .init("iss", client.clientID), .init("aud", .array([.string(client.issuer)])),
        .init("iat", now), .init("exp", now + 300),
      ] + parameters.map { .init($0.name, $0.value) }
    url = endpoint.adding(
      parameters.filter { Self.outsideToo.contains($0.name) }
        + [QueryItem("request", try session.signed(.object(claims)))])
  }

  /// What stands beside the signed object as well: what makes it a request of OAuth 2.0 and of OpenID Connect (Core §6.1),
  /// and what the CIE's rules want there.
  private static let outsideToo: Set<String> = [
    "client_id", "response_type", "scope", "redirect_uri", "code_challenge",
    "code_challenge_method",
  ]

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
