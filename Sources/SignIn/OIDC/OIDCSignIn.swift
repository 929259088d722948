internal import CIECard
internal import RedirectFlow
internal import System

/// An OpenID provider, after the rules of CIE's: authorization code with PKCE, a signed request, the client's own key
/// instead of a secret, and tokens that prove what they say. The person goes through their browser and comes back to a
/// port of this machine (RFC 8252).
///
/// Its entry: the members of `OpenIDClient`; if wanted, `scopes`, `level` (1 to 3: the lowest that counts; without it 2 is
/// asked for, as the CIE's rules demand `acr_values`, and any counts), `responseMode` (`query`, `form_post`), and
/// `returnUrl`, the address that is registered with the provider.
package struct OIDCSignIn: Sendable {
  let client: OpenIDClient
  let scopes: [String]
  let level: AuthenticationLevel?
  let answersByForm: Bool
  /// Where the person comes back to.
  let place: ReturnPlace

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    client = try OpenIDClient(&entry)
    scopes = try entry.optionalTexts("scopes") ?? ["openid", "profile"]
    guard scopes.contains("openid"), scopes.allSatisfy({ !$0.contains(" ") }) else {
      throw .wrongMember("scopes")
    }
    if let value = entry.value("level") {
      guard let level = value.integer.flatMap({ AuthenticationLevel($0) }) else {
        throw .wrongMember("level")
      }
      self.level = level
    } else {
      level = nil
    }
    switch try entry.optionalText("responseMode") {
    case nil, "query": answersByForm = false
    case "form_post": answersByForm = true
    default: throw .wrongMember("responseMode")
    }
    place = try entry.returnPlace() ?? .usual
    // A form that is posted elsewhere is in no address.
    if case .registered = place, answersByForm { throw .wrongMember("responseMode") }
  }

  package func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    let session = try OpenIDSession.open(client, context)
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

  package func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    try OpenIDSession.refresh(account, client, context)
  }

  package func signOut(_ account: Account, _ context: SignInContext) throws(SignInError) {
    try OpenIDSession.open(client, context).revoke(account)
  }
}
