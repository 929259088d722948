import Primitives
import Web
import Testing

@testable import SignIn

@Suite struct EmailSecrecyTests {
  /// Secrets that must not appear in any printed text.
  private static let secrets = [
    "continuation-1", "continuation-2", "continuation-3", "half-way", "la-mia-password", "87654321",
    "access-1", "again-1", "NORBERTO", "FTTNBR81X99Z999N", "eyJ",
  ]

  private func expectNoSecret(_ value: Any, _ place: SourceLocation = #_sourceLocation) {
    let text = printed(value)
    for secret in Self.secrets {
      #expect(!text.contains(secret), "\(secret)", sourceLocation: place)
    }
  }

  @Test
  func
    `no password, code, token or claim stands in a state, an error or an account that is printed`()
    async throws
  {
    let script = try EmailScript()
      .answering("initiate", .json(#"{"continuation_token":"continuation-1"}"#))
      .answering(
        "challenge", EmailScript.passwordDue("continuation-2"),
        EmailScript.codeSent("continuation-3")
      )
      .answering(
        "token", EmailScript.refused("invalid_grant", 50126),
        EmailScript.refused(
          "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half-way","#),
        EmailScript.refused("invalid_grant", 50181, sub: "invalid_oob_value"),
        try EmailScript.granted(signed: EmailScript.claims()))
    let state = try await script.begin(script.servers)
    expectNoSecret(state)
    let password = try await state.userName.submit(EmailScript.name)
    expectNoSecret(password)
    let wrong = try await refusal {
      try await password.password.submit(.typed("la-mia-password"))
    }
    expectNoSecret(wrong)
    let code = try await (try #require(wrong.again)).password.submit(.typed("la-mia-password"))
    expectNoSecret(code)
    let other = try await refusal { try await code.code.submit(.typed("87654321")) }
    expectNoSecret(other)
    let end = try await (try #require(other.again)).code.submit(.typed("87654321"))
    let account = try end.account
    expectNoSecret(end)
    expectNoSecret(account)
    expectNoSecret(account.claims)
    expectNoSecret(account.claims.all)
    expectNoSecret(try #require(account.tokens))
    #expect(printed(account.claims).contains("given_name"))
    #expect(printed(try #require(account.tokens)).contains("refresh token"))
  }

  @Test func `no secret stands in the error of an answer that is wrong`() async throws {
    let token = try EmailScript.key().sign(EmailScript.claims(["aud": .string("x")]))
    for answer in [
      EmailScript.granted(token), EmailScript.granted("eyJ.eyJ.eyJ"),
      .json(#"{"access_token":"access-1"}"#), .of(type: "text/html", "access-1"),
      .redirect("https://elsewhere.test/?code=87654321"),
      .json(#"{"error":"invalid_grant","error_description":"87654321"}"#, status: 400),
    ] {
      let script = try EmailScript().answering("token", answer)
      expectNoSecret(
        try await refusal {
          try await script.named(script.servers).code.submit(.typed("87654321"))
        })
    }
  }
}
