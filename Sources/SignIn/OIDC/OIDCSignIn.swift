internal import CIECard
internal import RedirectFlow
internal import System

/// An OpenID provider, after the rules of CIE's: authorization code with PKCE, a signed request, the client's own key
/// instead of a secret, and tokens that prove what they say. The person goes through their browser and comes back to a
/// port of this machine (RFC 8252).
///
/// Its entry: the members of `OpenIDClient`; if wanted, `scopes`, `level` (1 to 3), and `responseMode` (`query`,
/// `form_post`).
package struct OIDCSignIn: LoginMethod {
  package static let name = SignInMethod.oidc

  let client: OpenIDClient
  let scopes: [String]
  let level: AuthenticationLevel?
  let answersByForm: Bool

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
  }

  package func begin(_ context: SignInContext) async throws(SignInError) -> SignInState {
    let session = try await OpenIDSession.open(client, context)
    let state = try SignInContext.randomLetters(43)
    let door = try BrowserReturn(context) { items in
      // In constant time: whoever tries many of them learns nothing.
      items.contains {
        $0.name == "state" && ConstantTime.equal([UInt8]($0.value.utf8), [UInt8](state.utf8))
      }
    }
    let request = try AuthorizationRequest(session, self, to: door.listener.address, state: state)
    return .browserRequired(
      BrowserRequired(request.url, until: door.end) { () async throws(SignInError) in
        let code = try request.code(in: try await door.answer(), from: session)
        return .completed(
          try await session.account(
            [
              QueryItem("grant_type", "authorization_code"), QueryItem("code", code),
              QueryItem("code_verifier", request.verifier),
              QueryItem("redirect_uri", request.returnAddress.text),
            ], OpenIDSession.Asked(nonce: request.nonce, level: level), Self.name))
      })
  }

  package func refresh(
    _ account: Account, _ context: SignInContext
  ) async throws(SignInError) -> Account {
    guard account.tokens?.refresh != nil else { throw SignInError(.refreshTokenExpired) }
    return try await OpenIDSession.open(client, context).refreshed(account)
  }

  package func signOut(_ account: Account, _ context: SignInContext) async throws(SignInError) {
    try await OpenIDSession.open(client, context).revoke(account)
  }
}
