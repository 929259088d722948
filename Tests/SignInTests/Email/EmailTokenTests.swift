import Primitives
import Web
import TestSupport
import Testing

@testable import SignIn

@Suite struct EmailTokenTests {
  private static func moment(_ seconds: Int64) -> JSON { .int(Int(EmailScript.now + seconds)) }

  /// Changes to the token, with the expected error.
  static let broken: [(change: [String: JSON], problem: TokenProblem)] = [
    (["iss": .string("https://tenant.test/other/v2.0")], .issuerWrong),
    (["iss": .null], .claimMissing("iss")),
    (["aud": .string("somebody-else")], .audienceWrong),
    (["aud": .array([.string("client"), .string("other")])], .claimMissing("azp")),
    (["azp": .string("other")], .authorizedPartyWrong),
    (["exp": moment(-61)], .expired),
    (["exp": .null], .claimMissing("exp")),
    (["exp": .string("soon")], .claimMalformed("exp")),
    (["nbf": moment(61)], .notYetValid),
    (["iat": moment(61)], .issuedInFuture),
    (["sub": .null], .claimMissing("sub")),
    (["sub": .string("")], .claimMalformed("sub")),
  ]

  @Test(arguments: broken.indices)
  func `an identity token that says the wrong thing ends the sign-in, under its problem`(
    _ index: Int
  ) async throws {
    let (change, problem) = Self.broken[index]
    let script = try EmailScript()
      .answering("token", try EmailScript.granted(signed: EmailScript.claims(change)))
    let error = try await refusal { try await end(script) }
    #expect(error.cause == .token(problem) && error.again == nil && error.correlationID != nil)
  }

  @Test func `a token without a signature, or with one by a key of its own, is not believed`()
    async throws
  {
    let key = try EmailScript.key()
    let good = try key.sign(EmailScript.claims()).split(separator: ".").map(String.init)
    func token(_ header: String, _ parts: [String]) -> String {
      ([Base64URL.encode([UInt8](header.utf8))] + parts).joined(separator: ".")
    }
    let name = #","kid":"\#(key.id ?? "")""#
    let forged: [(String, TokenProblem)] = [
      (token(#"{"alg":"none"\#(name)}"#, [good[1], ""]), .algorithmForbidden("none")),
      (token(#"{"alg":"HS256"\#(name)}"#, [good[1], good[2]]), .algorithmForbidden("HS256")),
      (token(#"{"alg":"RS256","kid":"stranger"}"#, [good[1], good[2]]), .keyUnknown),
      (
        token(#"{"alg":"RS256","jwk":{"kty":"RSA"}\#(name)}"#, [good[1], good[2]]),
        .bringsItsKey(member: "jwk")
      ),
      (
        token(#"{"alg":"RS256","jku":"https://x.test/"\#(name)}"#, [good[1], good[2]]),
        .bringsItsKey(member: "jku")
      ),
      (
        token(#"{"alg":"RS256","x5u":"https://x.test/"\#(name)}"#, [good[1], good[2]]),
        .bringsItsKey(member: "x5u")
      ),
      (token(#"{"alg":"RS256","crit":["b64"]\#(name)}"#, [good[1], good[2]]), .criticalExtension),
      (token(#"{"alg":"RS256"\#(name)}"#, [good[1], good[2]]), .signatureInvalid),
      ("no.token.here", .malformed), ("", .malformed),
    ]
    for (text, problem) in forged {
      let script = try EmailScript().answering("token", EmailScript.granted(text))
      let error = try await refusal { try await end(script) }
      #expect(error.cause == .token(problem), "\(problem)")
    }
  }

  @Test func `keys that are none, weak or not there prove nothing`() async throws {
    let keys: [(ScriptedServers.Answer, SignInError.Cause)] = [
      (.json(#"{"keys":[]}"#), .token(.keyUnknown)),
      (.json("{}"), .token(.keySetMalformed)),
      (.json(try TokenVectors.all.get().weak), .token(.keyUnknown)),
      (.json(try TokenVectors.all.get().client), .token(.keySetMalformed)),
      (.status(404), .status(404)),
      (.of(type: "application/json", ""), .exchange(.notJSON(status: 200))),
    ]
    for (answer, reason) in keys {
      let script = try EmailScript().answering("keys", answer)
      #expect(try await refusal { try await end(script) }.cause == reason, "\(reason)")
    }
  }

  @Test func `keys and issuer are those of the authority's own server`() async throws {
    func found(_ issuer: String, _ keys: String) async throws -> SignInError.Cause {
      let script = try EmailScript().answering(
        "configuration", .json(#"{"issuer":"\#(issuer)","jwks_uri":"\#(keys)"}"#))
      return try await refusal { try await end(script) }.cause
    }
    let issuer = "https://tenant.test/t/v2.0"
    let elsewhere = try RedirectURL("https://elsewhere.test/").origin
    #expect(
      try await found(issuer, "https://elsewhere.test/keys") == .exchange(.foreignHost(elsewhere)))
    #expect(try await found(issuer, "http://tenant.test/t/keys") == .exchange(.notHTTPS))
    #expect(try await found(issuer, "keys") == .exchange(.wrongMember("jwks_uri")))
    for issuer in [
      "https://elsewhere.test/v2.0", "http://tenant.test/t/v2.0", "https://tenant.test:8443/t/v2.0",
    ] {
      #expect(
        try await found(issuer, "https://tenant.test/t/keys") == .exchange(.wrongMember("issuer")))
    }
    #expect(try await found("", "https://tenant.test/t/keys") == .exchange(.wrongMember("issuer")))
    let none = try EmailScript().answering("configuration", .json("{}"))
    #expect(
      try await refusal { try await end(none) }.cause == .exchange(.wrongMember("issuer")))
  }

  @Test
  func `an issuer on another server is believed where the description names it, and no other`()
    async throws
  {
    let issuer = "https://0f0e.tenant.test/0f0e/v2.0"
    func end(_ named: String) async throws -> Account {
      let script = try EmailScript()
        .answering(
          "token", EmailScript.granted(signed: EmailScript.claims(["iss": .string(issuer)]))
        )
        .answering(
          "configuration",
          .json(#"{"issuer":"\#(issuer)","jwks_uri":"https://tenant.test/t/keys"}"#))
      let servers = script.servers
      return try await script.method(#","issuer":"\#(named)""#).begin(servers.context()).userName
        .submit(EmailScript.name).code.submit(.typed("12345678")).account
    }
    #expect(try await end(issuer).claims[.nome] == "NORBERTO")
    for other in ["https://0f0e.tenant.test/", "https://tenant.test/t/v2.0", issuer + "/"] {
      #expect(
        try await refusal { try await end(other) }.cause == .exchange(.wrongMember("issuer")))
    }
  }

  @Test func `tokens of a type that nobody here knows are not taken`() async throws {
    let token = try EmailScript.key().sign(EmailScript.claims())
    let answers: [(ScriptedServers.Answer, ExchangeProblem)] = [
      (EmailScript.granted(token, #""token_type":"mac","#), .wrongMember("token_type")),
      (EmailScript.granted(token, ""), .missingMember("token_type")),
      (.json(#"{"token_type":"Bearer"}"#), .missingMember("access_token")),
      (.json(#"{"token_type":"Bearer","access_token":""}"#), .missingMember("access_token")),
      (.json(#"{"token_type":"Bearer","access_token":7}"#), .missingMember("access_token")),
      (EmailScript.granted(nil), .missingMember("id_token")),
    ]
    for (answer, problem) in answers {
      let script = try EmailScript().answering("token", answer)
      #expect(try await refusal { try await end(script) }.cause == .exchange(problem))
    }
    let small = try EmailScript()
      .answering("token", EmailScript.granted(token, #""token_type":"bearer","#))
    #expect(try await end(small).expires == nil)
  }

  @Test func `an end that makes no sense is as if nobody said when`() async throws {
    let token = try EmailScript.key().sign(EmailScript.claims())
    for text in ["-1", "9223372036854775808", "1e3", "\"3600\"", "31536001"] {
      let script = try EmailScript().answering(
        "token", EmailScript.granted(token, #""token_type":"Bearer","expires_in":\#(text),"#))
      #expect(try await end(script).expires == nil)
    }
  }

  @Test
  func `a refresh gives new tokens and claims, and the refresh token is exchanged for the new one`()
    async throws
  {
    let script = try EmailScript().answering(
      "token", try EmailScript.granted(signed: EmailScript.claims()),
      .json(
        #"{"token_type":"Bearer","access_token":"access-2","refresh_token":"again-2","expires_in":60,"#
          + #""id_token":"\#(try EmailScript.key().sign(EmailScript.claims(["given_name": .string("N.")])))"}"#
      ),
      .json(#"{"token_type":"Bearer","access_token":"access-3"}"#))
    let servers = script.servers
    let first = try await end(script, servers)
    let method = try script.method()
    let second = try method.refresh(first, try servers.context())
    #expect(second.claims[.nome] == "N." && second.begun == first.begun)
    #expect(second.tokens?.access == "access-2" && second.tokens?.refresh == "again-2")
    #expect(second.expires?.seconds == EmailScript.now + 60)
    let third = try method.refresh(second, try servers.context())
    #expect(third.claims == second.claims && third.tokens?.access == "access-3")
    #expect(third.tokens?.refresh == "again-2" && third.expires == nil)
    let asked = servers.requests.filter { $0.contains("grant_type=refresh_token") }
    #expect(asked.count == 2)
    #expect(asked[0].contains("&refresh_token=again-1&scope=openid%20profile%20offline_access"))
    #expect(asked[1].contains("&refresh_token=again-2&"))
  }

  @Test func `a refresh token that is of no use any more is said to be so`() async throws {
    for answer in [
      EmailScript.refused("invalid_grant", 700_082), EmailScript.refused("invalid_grant"),
      EmailScript.refused("expired_token", 552_003),
    ] {
      let script = try EmailScript()
        .answering("token", try EmailScript.granted(signed: EmailScript.claims()), answer)
      let servers = script.servers
      let account = try await end(script, servers)
      let error = try await refusal {
        try script.method().refresh(account, try servers.context())
      }
      #expect(error.reason == .refreshTokenExpired && error.again == nil)
      #expect(error.correlationID == "0f0e0d0c-1111-4222-8333-444455556666")
    }
    let account = Account(
      service: "Test", method: "email", claims: AccountClaims([AccountClaims.Claim]()), begun: 0)
    let script = try EmailScript()
    let servers = script.servers
    let error = try await refusal {
      try script.method().refresh(account, try servers.context())
    }
    #expect(error.reason == .refreshTokenExpired && servers.requests.isEmpty)
  }

  @Test func `other errors of a refresh keep their names`() async throws {
    let errors: [(ScriptedServers.Answer, SignInError.Cause)] = [
      (EmailScript.refused("invalid_scope", 70011), .invalidScope),
      (EmailScript.refused("invalid_client"), .clientRefused), (.status(503), .status(503)),
      (EmailScript.redirect, .browserRequired),
      (EmailScript.refused("invalid_grant", 50142), .passwordResetRequired),
    ]
    for (answer, reason) in errors {
      let script = try EmailScript()
        .answering("token", try EmailScript.granted(signed: EmailScript.claims()), answer)
      let servers = script.servers
      let account = try await end(script, servers)
      let error = try await refusal {
        try script.method().refresh(account, try servers.context())
      }
      #expect(error.cause == reason)
    }
  }

  @Test func `the identity token of a refresh continues the one before, or stays`()
    async throws
  {
    let script = try EmailScript()
      .answering(
        "token",
        try EmailScript.granted(signed: EmailScript.claims(["auth_time": .int(1_767_225_500)])),
        EmailScript.granted(nil),
        try EmailScript.granted(signed: EmailScript.claims(["auth_time": .int(1_767_225_600)])))
    let servers = script.servers
    let (method, context) = (try script.method(), try servers.context())
    let first = try await script.named(servers).code.submit(.typed("12345678")).account
    let second = try method.refresh(first, context)
    #expect(second.tokens?.identity == first.tokens?.identity)
    let error = try await refusal { try method.refresh(second, context) }
    #expect(error.cause == .token(.authenticationTimeWrong))
  }

  @Test func `a refresh that brings another person is refused`() async throws {
    let script = try EmailScript().answering(
      "token", try EmailScript.granted(signed: EmailScript.claims()),
      try EmailScript.granted(signed: EmailScript.claims(["sub": .string("another")])))
    let servers = script.servers
    let account = try await end(script, servers)
    let error = try await refusal {
      try script.method().refresh(account, try servers.context())
    }
    #expect(error.cause == .otherSession)
  }

  /// Runs a sign-in by code to its account.
  private func end(_ script: EmailScript, _ servers: ScriptedServers? = nil) async throws -> Account
  {
    let servers = servers ?? script.servers
    return try await script.named(servers).code.submit(.typed("12345678")).account
  }
}
