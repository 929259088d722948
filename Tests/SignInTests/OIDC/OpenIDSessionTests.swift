import Primitives
import Web
import TestSupport
import Testing

@testable import SignIn

/// Later requests for an account at a provider: refresh, revocation, rotated keys.
@Suite struct OpenIDSessionTests {
  private static let token = "POST https://op.example/token"

  private func account(
    _ script: borrowing OpenIDScript, refresh: String? = "secret-old", identity: String? = "first"
  ) -> Account {
    Account(
      service: "Test", method: "oidc",
      claims: AccountClaims([AccountClaims.Claim("sub", ["person"])]), begun: script.clock.now,
      tokens: Account.Tokens(
        access: "secret-access", refresh: refresh, identity: identity, expires: nil,
        scope: "openid"))
  }

  private func method(_ script: borrowing OpenIDScript) throws -> OIDCSignIn {
    var entry = try script.entry()
    return try OIDCSignIn(&entry)
  }

  private func refreshed(_ script: borrowing OpenIDScript) async throws -> Account {
    try method(script).client.refresh(
      account(script), script.servers().context(clock: script.clock))
  }

  @Test func `new tokens keep what does not come anew`() async throws {
    var script = try OpenIDScript()
    script.answers[Self.token] = [.json(OpenIDScript.tokens(nil))]
    let tokens = try #require(try await refreshed(script).tokens)
    #expect(tokens.refresh == "secret-old" && tokens.identity == "first")
    #expect(tokens.scope == "openid" && tokens.expires?.seconds == script.clock.now.seconds + 300)
  }

  @Test func `an account without an ID token gets none by a refresh`() async throws {
    var script = try OpenIDScript()
    script.answers[Self.token] = [.json(OpenIDScript.tokens(try script.identity([])))]
    let context = try script.servers().context(clock: script.clock)
    let tokens = try method(script).client.refresh(account(script, identity: nil), context).tokens
    #expect(tokens?.expires != nil && tokens?.identity == nil)
  }

  @Test func `new tokens for another person, or by nobody, are refused`() async throws {
    for (changes, problem) in [
      ([JSON.Member("sub", "other")], TokenProblem.subjectWrong),
      ([JSON.Member("iss", "https://evil.example/")], .issuerWrong),
    ] {
      var script = try OpenIDScript()
      script.answers[Self.token] = [.json(OpenIDScript.tokens(try script.identity(changes)))]
      do {
        _ = try await refreshed(script)
        Issue.record("not refused")
      } catch let error as SignInError {
        #expect(error.cause == .token(problem))
      }
    }
    var script = try OpenIDScript()
    script.answers[Self.token] = [.json(#"{"error":"invalid_client"}"#, status: 401)]
    do {
      _ = try await refreshed(script)
      Issue.record("not refused")
    } catch let error as SignInError {
      #expect(error.cause == .openID(.refused(.invalidClient)))
    }
  }

  /// OpenID Connect Core §12.2; `RenewalTests` tests each rule alone.
  @Test func `an identity token that comes with new tokens continues the one before`() async throws
  {
    let now = Int(try OpenIDScript().clock.now.seconds)
    let begun: [JSON.Member] = [
      .init("nonce", "first"), .init("auth_time", now - 50), .init("acr", Self.level + "2"),
    ]
    for (changes, problem) in [
      ([], TokenProblem?.none), ([.init("nonce", "other")], .nonceWrong),
      ([.init("auth_time", now)], .authenticationTimeWrong),
      ([.init("azp", "me")], .authorizedPartyWrong),
      ([.init("acr", Self.level + "1")], .levelTooLow),
    ] as [([JSON.Member], TokenProblem?)] {
      var script = try OpenIDScript()
      let names = Set(changes.map(\.name))
      let new = try script.identity(begun.filter { !names.contains($0.name) } + changes)
      script.answers[Self.token] = [.json(OpenIDScript.tokens(new))]
      let former = account(script, identity: try script.identity(begun))
      let context = try script.servers().context(clock: script.clock)
      let method = try method(script)
      guard let problem else {
        #expect(try method.client.refresh(former, context).tokens?.identity == new)
        continue
      }
      let error = try await refusal { try method.client.refresh(former, context) }
      #expect(error.cause == .token(problem))
    }
  }

  private static let level = "https://www.spid.gov.it/SpidL"

  /// The rules of SPID demand the end of the access token, and a refresh token's need not be its end (RFC 7009 §2.1).
  @Test func `each token is revoked, and a refusal of one is no end of that`() async throws {
    let refused = ScriptedServers.Answer.json(#"{"error":"unsupported_token_type"}"#, status: 400)
    for (refresh, answers, isRefused) in [
      ("secret-old", [.status(200), .status(200)], false),
      ("secret-old", [refused, .status(200)], true),
      ("secret-old", [.status(200), refused], true), (nil, [.status(200)], false),
      (nil, [refused], true),
    ] as [(String?, [ScriptedServers.Answer], Bool)] {
      var script = try OpenIDScript()
      script.answers["GET https://op.example/.well-known/openid-configuration"] = [
        .json(OpenIDScript.metadata(["revocation_endpoint": #""https://op.example/revoke""#]))
      ]
      script.answers["POST https://op.example/revoke"] = answers
      let servers = script.servers()
      let (method, account) = (try method(script), account(script, refresh: refresh))
      let context = try servers.context(clock: script.clock)
      if isRefused {
        let error = try await refusal { try method.client.signOut(account, context) }
        #expect(error.cause == .openID(.refused(.unsupportedTokenType)))
      } else {
        try method.client.signOut(account, context)
      }
      let sent = servers.requests.filter { $0.contains("token_type_hint=") }
      let expected = [
        "token=secret-old&token_type_hint=refresh_token",
        "token=secret-access&token_type_hint=access_token",
      ]
      #expect(sent.count == answers.count)
      for (sent, expected) in zip(sent, expected.suffix(answers.count)) {
        #expect(sent.contains(expected))
      }
    }
  }

  @Test func `keys that were changed while the sign-in went on are fetched again, once`()
    async throws
  {
    var script = try OpenIDScript()
    let other = #"{"keys":[]}"#
    let good = try #require(script.answers["GET https://op.example/keys"]?.first)
    script.answers["GET https://op.example/keys"] = [.json(other), good, .json(other)]
    var entry = try script.entry()
    let client = try OpenIDClient(&entry)
    let servers = script.servers()
    let session = try OpenIDSession(client, servers.context(clock: script.clock))
    let token = try script.identity()
    let asked = { () async throws -> [String] in
      try session.withKeys { verifier throws(SignInError) in
        try verifier.claims(signedIn: token, types: ["jwt"]).names
      }
    }
    // The first set lacks the key, and is not requested twice in one verification.
    #expect(try await refusal { try await asked() }.cause == .token(.keyUnknown))
    #expect(try await asked().contains("sub"))
    #expect(try await asked().contains("sub"))
    #expect(servers.requests.count { $0.hasSuffix("/keys") } == 2)
  }
}
