import Primitives
import Web
import Testing

@testable import SignIn

@Suite struct EmailHostileServerTests {
  /// Malformed responses, to any request.
  static let useless: [(answer: ScriptedServers.Answer, reason: SignInError.Cause)] = [
    (.of(type: "application/json", #"{"half": "#), .exchange(.notJSON(status: 200))),
    (.of(type: "text/html", "<p>Accesso alla rete</p>"), .exchange(.notJSON(status: 200))),
    (.of(type: "text/html", #"{"continuation_token":"t"}"#), .exchange(.notJSON(status: 200))),
    (.json(String(repeating: "[", count: 100_000)), .exchange(.notJSON(status: 200))),
    (
      .json(#"{"continuation_token":"a","continuation_token":"b"}"#),
      .exchange(.repeatedMember("continuation_token"))
    ),
    (.json(#"{"x":{"y":1,"y":2},"continuation_token":"b"}"#), .exchange(.repeatedMember("y"))),
    (
      .json(#"{"error":"user_not_found","error":"invalid_grant"}"#, status: 400),
      .exchange(.repeatedMember("error"))
    ),
    (
      .redirect("https://elsewhere.test/?code=12345678", status: 307),
      .exchange(.redirected(status: 307))
    ),
    (.redirect("http://tenant.test/t/"), .exchange(.redirected(status: 302))),
    (.failure(.timeout), .exchange(.http(.timeout))),
    (.failure(.bodyTooLarge(limit: 262_144)), .exchange(.http(.bodyTooLarge(limit: 262_144)))),
    (.failure(.disconnected), .exchange(.http(.disconnected))),
    (
      .failure(.serverCertificate(.unknownAuthority)),
      .exchange(.http(.serverCertificate(.unknownAuthority)))
    ),
  ]
  static let requests = EmailScript.requests + ["configuration", "keys"]

  @Test(arguments: requests)
  func `an answer of no use ends the sign-in, whichever request it is the answer to`(
    request: String
  ) async throws {
    for (answer, reason) in Self.useless {
      let error = try await refused(request, answer)
      #expect(error.cause == reason && error.again == nil)
      #expect(error.correlationID != nil)
    }
  }

  @Test(arguments: ["initiate", "challenge", "introspect"])
  func `an answer without the token for the next request ends the sign-in`(request: String)
    async throws
  {
    for body in [
      "{}", "[]", #"{"continuation_token":""}"#, #"{"continuation_token":7}"#,
      #"{"continuation_token":null,"challenge_type":"oob"}"#,
    ] {
      let error = try await refused(request, .json(body))
      #expect(error.cause == .exchange(.missingMember("continuation_token")))
    }
    let error = try await refused(request, .of(type: "application/json", ""))
    #expect(error.cause == .exchange(.missingMember("continuation_token")))
  }

  @Test func `a way of asking that nobody knows ends the sign-in`() async throws {
    for type in ["", #""challenge_type":"carrier-pigeon","#, #""challenge_type":7,"#] {
      let error = try await refused("challenge", .json(#"{\#(type)"continuation_token":"t"}"#))
      #expect(error.cause == .exchange(.wrongMember("challenge_type")))
    }
  }

  @Test func `what a server shows cannot paint on a terminal`() async throws {
    let script = try EmailScript().answering(
      "challenge",
      .json(
        #"{"continuation_token":"t","challenge_type":"oob","challenge_channel":"\u001b]0;x\u0007","#
          + #""challenge_target_label":"\u001b[2J\u202en***o@e***.invalid\n"}"#))
    let code = try await script.named(script.servers).code
    let shown = [code.sentTo, code.channel].compactMap { $0?.display }.joined()
    #expect(
      shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" && $0 != "\u{7}" })
  }

  @Test func `nothing goes to another server than the authority's`() async throws {
    let script = try EmailScript()
    let servers = script.servers
    _ = try await script.named(servers).code.submit(.typed("12345678")).account
    #expect(servers.requests.allSatisfy { $0.contains(" https://tenant.test/t/") })
  }

  /// Runs a sign-in through all requests, with one response replaced.
  private func refused(
    _ request: String, _ answer: ScriptedServers.Answer
  ) async throws -> SignInError {
    let script = try EmailScript()
      .answering("challenge", EmailScript.passwordDue("due"), EmailScript.codeSent("sent"))
      .answering(
        "token",
        EmailScript.refused(
          "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half","#),
        try EmailScript.granted(signed: EmailScript.claims())
      )
      .answering(request, answer)
    return try await refusal {
      try await script.named(script.servers).password.submit(.typed("pass"))
        .code.submit(.typed("12345678"))
    }
  }
}
