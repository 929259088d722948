/// Sign-in by an OpenID provider, under the CIE's rules: authorization code with PKCE, a signed request, the client's
/// own key instead of a secret, and verified tokens. The person uses their browser and returns to a port of this
/// machine (RFC 8252).
struct OIDCSignIn: Sendable {
  let client: OpenIDClient
  let scopes: [String]
  /// Names of claims that are requested one by one (OpenID Connect Core §5.5): the only way to a person's data with a
  /// provider of SPID, which has no scope for them.
  let claims: [String]
  /// Lowest level that is accepted; without it level 2 is requested, because the CIE's rules demand `acr_values`, and any
  /// is accepted.
  let level: AuthenticationLevel?
  let answersByForm: Bool
  let place: ReturnPlace

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    client = try OpenIDClient(&entry)
    scopes = try entry.optionalTexts("scopes") ?? ["openid", "profile"]
    guard scopes.contains("openid"), scopes.allSatisfy({ !$0.contains(" ") }) else {
      throw .of(.wrongMember("scopes"))
    }
    claims = try entry.optionalTexts("claims") ?? []
    guard Set(claims).count == claims.count else { throw .of(.wrongMember("claims")) }
    level = try entry.level()
    switch try entry.optionalText("responseMode") {
    case nil, "query": answersByForm = false
    case "form_post": answersByForm = true
    default: throw .of(.wrongMember("responseMode"))
    }
    place = try entry.returnPlace() ?? .usual
    // A form posted elsewhere is not in the address that the person submits.
    if case .registered = place, answersByForm { throw .of(.wrongMember("responseMode")) }
  }

  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    let session = try OpenIDSession(client, context)
    let state = try SignInContext.randomLetters(43)
    let door = try BrowserReturn(context, at: place, state: state)
    let request = try AuthorizationRequest(session, self, to: door.address ?? "", state: state)
    return .browserRequired(
      SignInState.BrowserRequired(context, request.url, until: door.end, door: door) {
        () throws(SignInError) in
        let code = try request.code(in: try door.answer().items, from: session)
        return .completed(
          try session.account(
            [
              QueryItem("grant_type", "authorization_code"), QueryItem("code", code),
              QueryItem("code_verifier", request.verifier),
              QueryItem("redirect_uri", request.returnAddress),
            ], OpenIDSession.Asked(nonce: request.nonce, level: level), SignInMethod.oidc))
      })
  }
}
