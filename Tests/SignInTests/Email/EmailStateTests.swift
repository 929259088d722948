import Primitives
import Web
import Testing

@testable import SignIn

@Suite struct EmailStateTests {
  @Test func `a code by e-mail leads from the name to an account with claims and tokens`()
    async throws
  {
    let script = try EmailScript()
    let servers = script.servers
    let code = try await script.named(servers).code
    #expect(code.sentTo?.display == "n***o@e***.invalid" && code.channel?.display == "email")
    #expect(code.length == 8 && code.interval == 30 && code.canResend)
    let account = try await code.submit(.typed("12345678")).account

    #expect(account.method == "email" && account.service == "Test")
    #expect(account.claims[.nome] == "NORBERTO" && account.claims["sub"] == ["person"])
    #expect(account.claims[.codiceFiscale] == "FTTNBR81X99Z999N")
    #expect(account.tokens?.access == "access-1" && account.tokens?.refresh == "again-1")
    #expect(account.tokens?.scope == "openid profile")
    #expect(account.expires?.seconds == EmailScript.now + 3600)
    #expect(
      servers.requests == [
        "POST https://tenant.test/t/oauth2/v2.0/initiate client_id=client"
          + "&username=norberto%40example.invalid&challenge_type=oob%20password%20redirect"
          + "&capabilities=mfa_required",
        "POST https://tenant.test/t/oauth2/v2.0/challenge client_id=client"
          + "&continuation_token=began&challenge_type=oob%20password%20redirect",
        "POST https://tenant.test/t/oauth2/v2.0/token client_id=client&continuation_token=sent"
          + "&grant_type=oob&scope=openid%20profile%20offline_access&client_info=true&oob=12345678",
        "GET https://tenant.test/t/v2.0/.well-known/openid-configuration",
        "GET https://tenant.test/t/keys",
      ])
  }

  @Test func `a password leads to an account`() async throws {
    let script = try EmailScript().answering("challenge", EmailScript.passwordDue("due"))
    let servers = script.servers
    let account = try await script.named(servers).password.submit(.typed("corretto cavallo"))
      .account
    #expect(account.claims[.nome] == "NORBERTO")
    #expect(servers.requests[2].contains("continuation_token=due&grant_type=password"))
    #expect(servers.requests[2].hasSuffix("&password=corretto%20cavallo"))
  }

  @Test func `a password and then a code on the phone, where the provider wants a second factor`()
    async throws
  {
    for sub in ["mfa_required", "introspect_required"] {
      let script = try EmailScript()
        .answering(
          "challenge", EmailScript.passwordDue("due"),
          EmailScript.codeSent("first"), EmailScript.codeSent("second")
        )
        .answering(
          "token",
          EmailScript.refused("invalid_grant", 50076, sub: sub, #""continuation_token":"half","#),
          EmailScript.refused("invalid_grant", 50181, sub: "invalid_oob_value"),
          try EmailScript.granted(signed: EmailScript.claims()))
      let servers = script.servers
      let code = try await script.named(servers).password.submit(.typed("pass")).code
      let another = try await code.resend().code
      let wrong = try await refusal { try await another.submit(.typed("00000000")) }
      #expect(wrong.reason == .invalidCode)
      let again = try #require(wrong.again).code
      _ = try await again.submit(.typed("12345678")).account
      let asked = servers.requests.dropFirst(3).map { $0.split(separator: "?client_id=client&")[0] }
      #expect(asked[0].hasSuffix("/introspect client_id=client&continuation_token=half"))
      #expect(asked[1].hasSuffix("/challenge client_id=client&continuation_token=known&id=phone"))
      #expect(asked[2].hasSuffix("/challenge client_id=client&continuation_token=first&id=phone"))
      #expect(asked[3].contains("continuation_token=second&grant_type=mfa_oob"))
      #expect(asked[4].hasSuffix("&oob=12345678"))
    }
  }

  @Test func `another code can be sent, and only the newest continuation token is used`()
    async throws
  {
    let script = try EmailScript()
      .answering("challenge", EmailScript.codeSent("first"), EmailScript.codeSent("second"))
    let servers = script.servers
    let code = try await script.named(servers).code.resend().code
    _ = try await code.submit(.typed("12345678")).account
    #expect(servers.requests[2].contains("continuation_token=first"))
    #expect(servers.requests[3].contains("continuation_token=second&grant_type=oob"))
  }

  @Test func `a resend that is refused leaves the code that was sent before usable`() async throws {
    let script = try EmailScript()
      .answering(
        "challenge", EmailScript.codeSent("first"),
        .json(
          #"{"error":"too_many_requests"}"#, status: 429))
    let code = try await script.named(script.servers).code
    let error = try await refusal { try await code.resend() }
    #expect(error.cause == .tooManyRequests(retryAfter: nil))
    _ = try await (try #require(error.again)).code.submit(.typed("12345678")).account
  }

  @Test func `whoever always signs in here is not asked for the name`() async throws {
    let script = try EmailScript()
    let servers = script.servers
    _ = try script.method(#","user":"norberto@example.invalid""#)
      .begin(servers.context()).code
    #expect(servers.requests[0].contains("username=norberto%40example.invalid"))
  }

  @Test func `only the ways that the description has are asked for, and only they are taken`()
    async throws
  {
    var script = try EmailScript()
    script.challengeTypes = ["oob"]
    let servers = script.servers
    _ = try await script.named(servers).code
    #expect(servers.requests[0].contains("challenge_type=oob%20redirect&"))
    script = script.answering("challenge", EmailScript.passwordDue("due"))
    let first = try await refusal { try await script.named(script.servers) }
    #expect(first.cause == .exchange(.wrongMember("challenge_type")))
    script.challengeTypes = ["password"]
    script = script.answering("challenge", EmailScript.codeSent("sent"))
    let second = try await refusal { try await script.named(script.servers) }
    #expect(second.cause == .exchange(.wrongMember("challenge_type")))
  }

  @Test func `a provider that wants one second factor after the other leads in a circle`()
    async throws
  {
    let script = try EmailScript()
      .answering("challenge", EmailScript.passwordDue("due"), EmailScript.codeSent("first"))
      .answering(
        "token",
        EmailScript.refused(
          "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half","#))
    let servers = script.servers
    let code = try await script.named(servers).password.submit(.typed("pass")).code
    let error = try await refusal { try await code.submit(.typed("12345678")) }
    #expect(error.cause == .invalidChallenge && error.again == nil)
    #expect(servers.requests.count { $0.contains("/introspect") } == 1)
  }

  @Test func `a second factor is never a password`() async throws {
    let script = try EmailScript()
      .answering("challenge", EmailScript.passwordDue("due"))
      .answering(
        "token",
        EmailScript.refused(
          "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half","#))
    let error = try await refusal {
      try await script.named(script.servers).password.submit(.typed("pass"))
    }
    #expect(error.cause == .exchange(.wrongMember("challenge_type")))
  }

  @Test func `a length or an interval that makes no sense is as if there were none`() async throws {
    for further in [
      #""code_length":0,"interval":-1,"#, #""code_length":9223372036854775808,"interval":1e9,"#,
      #""code_length":"8","interval":"30","#, "",
    ] {
      let script = try EmailScript().answering("challenge", EmailScript.codeSent("s", further))
      let code = try await script.named(script.servers).code
      #expect(code.length == nil && code.interval == nil)
      _ = try await code.submit(.typed("123")).account
    }
  }

  @Test func `an entry must be right in every member`() throws {
    func problem(_ text: String) -> ServiceProblem? {
      do {
        var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
        _ = try EmailSignIn(&entry)
        try entry.finish()
        return nil
      } catch { return (error as? SignInError)?.serviceProblem }
    }
    let good = #""authority":"https://t.test/","clientId":"c""#
    #expect(problem("{\(good)}") == nil)
    #expect(problem(#"{"clientId":"c"}"#) == .missingMember("authority"))
    #expect(problem(#"{"authority":"https://t.test/"}"#) == .missingMember("clientId"))
    #expect(problem(#"{"authority":"http://t.test/","clientId":"c"}"#) == .notHTTPS("authority"))
    #expect(problem(#"{"authority":"https://t.test","clientId":"c"}"#) == nil)
    #expect(problem(#"{"authority":"https://t.test/x","clientId":"c"}"#) == .notABase("authority"))
    #expect(
      problem(#"{"authority":"https://t.test/?a=b","clientId":"c"}"#) == .notABase("authority"))
    for types in [#"["oob","pigeon"]"#, #"["redirect"]"#, "[]", #""oob""#, "[1]"] {
      #expect(problem("{\(good),\"challengeTypes\":\(types)}") == .wrongMember("challengeTypes"))
    }
    #expect(problem("{\(good),\"scopes\":[\"\"]}") == .wrongMember("scopes"))
    #expect(problem("{\(good),\"password\":\"x\"}") == .unknownMember("password"))
  }
}
