import Primitives
import Web
import Testing

@testable import SignIn

@Suite struct EmailErrorTests {
  @Test(arguments: [
    "", "norberto", "@example.invalid", "norberto@", "norberto@localhost", "a@b@example.invalid",
    "nor berto@example.invalid", "norberto@example..invalid", "norberto@.invalid",
    "norberto@example.invalid\n", "n\u{7F}@example.invalid",
    String(repeating: "n", count: 250) + "@example.invalid",
  ])
  func `what is no e-mail address is refused before any server is asked`(name: String) async throws
  {
    let script = try EmailScript()
    let servers = script.servers
    let state = try await script.begin(servers).userName
    let error = try await refusal { try await state.submit(name) }
    #expect(
      error.reason == .invalidUserName && error.correlationID != nil && servers.requests.isEmpty)
    _ = try await (try #require(error.again)).userName.submit(EmailScript.name).code
  }

  /// Row of the table: the request, the response, its meaning, and if the same state comes again.
  struct Line: Sendable, CustomTestStringConvertible {
    let at: String
    let answer: ScriptedServers.Answer
    let reason: SignInError.Cause
    var number: Int?
    var isAgain = false
    var testDescription: String { "\(at): \(reason)" }
  }

  static let table: [Line] =
    [
      Line(
        at: "initiate", answer: EmailScript.refused("user_not_found", 50034), reason: .userNotFound,
        number: 50034, isAgain: true),
      Line(
        at: "initiate", answer: EmailScript.refused("user_not_found"), reason: .userNotFound,
        isAgain: true),
      Line(
        at: "initiate", answer: EmailScript.refused("invalid_request", 90100),
        reason: .invalidUserName, number: 90100, isAgain: true),
      Line(
        at: "challenge", answer: EmailScript.refused("invalid_request", 90100),
        reason: .badRequest(UntrustedText("invalid_request")), number: 90100),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 50126), reason: .invalidPassword,
        number: 50126, isAgain: true),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant"), reason: .invalidCredentials,
        isAgain: true),
      Line(
        at: "challenge", answer: EmailScript.refused("invalid_grant"),
        reason: .badRequest(UntrustedText("invalid_grant"))),
      Line(
        at: "token", answer: EmailScript.refused("invalid_request", 500_222), reason: .noPassword,
        number: 500_222),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 50142),
        reason: .passwordResetRequired, number: 50142),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 50053), reason: .methodBlocked,
        number: 50053),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 50181, sub: "invalid_oob_value"),
        reason: .invalidCode, number: 50181, isAgain: true),
      Line(
        at: "challenge", answer: EmailScript.refused("invalid_request", 901_001),
        reason: .invalidChallenge, number: 901_001),
      Line(
        at: "challenge",
        answer: EmailScript.refused("access_denied", 550_024, sub: "provider_blocked_by_rep"),
        reason: .methodBlocked, number: 550_024),
      Line(
        at: "token",
        answer: EmailScript.refused(
          "invalid_grant", 50079, sub: "registration_required", #""continuation_token":"r","#),
        reason: .registrationRequired, number: 50079),
      Line(
        at: "challenge",
        answer: EmailScript.refused("invalid_request", 550_021, sub: "introspect_required"),
        reason: .invalidChallenge, number: 550_021),
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 50076, sub: "mfa_required"),
        reason: .invalidChallenge, number: 50076),
      Line(
        at: "token", answer: EmailScript.refused("expired_token", 552_003), reason: .expired,
        number: 552_003),
      Line(
        at: "initiate", answer: EmailScript.refused("invalid_client", 7_000_218),
        reason: .clientRefused, number: 7_000_218),
      Line(
        at: "initiate", answer: EmailScript.refused("unauthorized_client", 700_016),
        reason: .clientRefused, number: 700_016),
      Line(
        at: "token", answer: EmailScript.refused("invalid_scope", 70011), reason: .invalidScope,
        number: 70011),
      Line(
        at: "initiate", answer: EmailScript.refused("unsupported_challenge_type", 901_007),
        reason: .browserRequired, number: 901_007),
      Line(
        at: "token", answer: EmailScript.refused("access_denied"),
        reason: .denied(UntrustedText("access_denied"))),
      Line(
        at: "token",
        answer: EmailScript.refused("error_of_another_time", 424_242, sub: "sub_of_it"),
        reason: .badRequest(UntrustedText("error_of_another_time")), number: 424_242),
      Line(
        at: "token", answer: EmailScript.refused("server_error", 1_003_010, status: 500),
        reason: .badRequest(UntrustedText("server_error")), number: 1_003_010),
      Line(at: "initiate", answer: .status(500), reason: .status(500)),
      Line(
        at: "challenge", answer: .of(type: "text/html", "<p>", status: 503), reason: .status(503)),
      Line(at: "token", answer: .json("{}", status: 403), reason: .status(403)),
    ]
    + [
      "password_too_weak", "password_too_short", "password_too_long", "password_is_invalid",
      "password_recently_used", "password_banned", "attribute_validation_failed",
    ].map {
      Line(
        at: "token", answer: EmailScript.refused("invalid_grant", 1_000_510, sub: $0),
        reason: .denied(UntrustedText($0)), number: 1_000_510)
    }
    + ["initiate", "challenge", "token"].map {
      Line(
        at: $0, answer: .status(429, [.init(name: "retry-after", value: "7")]),
        reason: .tooManyRequests(retryAfter: 7), isAgain: true)
    }

  @Test(arguments: table)
  func `each error of the table has its reason, its number and the state to go on from`(
    _ line: Line
  ) async throws {
    let isPassword = line.reason == .invalidPassword || line.reason == .noPassword
    let script = try EmailScript()
      .answering(
        "challenge", isPassword ? EmailScript.passwordDue("due") : EmailScript.codeSent("sent")
      )
      .answering(line.at, line.answer)
    let servers = script.servers
    let error = try await refusal {
      let state = try await script.named(servers)
      return isPassword
        ? try await state.password.submit(.typed("pass"))
        : try await state.code.submit(.typed("12345678"))
    }
    #expect(error.cause == line.reason && error.number == line.number)
    #expect((error.again != nil) == line.isAgain)
    let saysNumber = line.answer.body.contains("0f0e0d0c")
    #expect(
      saysNumber
        ? error.correlationID == "0f0e0d0c-1111-4222-8333-444455556666"
        : error.correlationID == servers.headers[0]["client-request-id"])
  }

  @Test func `after a wrong code the same state has the same rights`() async throws {
    let script = try EmailScript()
      .answering("challenge", EmailScript.codeSent("first"), EmailScript.codeSent("second"))
      .answering(
        "token", EmailScript.refused("invalid_grant", 50181, sub: "invalid_oob_value"),
        EmailScript.refused("invalid_grant", 50181, sub: "invalid_oob_value"),
        try EmailScript.granted(signed: EmailScript.claims()))
    let servers = script.servers
    var state = try await script.named(servers)
    for _ in 0..<2 {
      let code = try state.code
      let error = try await refusal { try await code.submit(.typed("00000000")) }
      #expect(error.reason == .invalidCode)
      state = try #require(error.again)
      #expect(try state.code.length == 8 && state.code.canResend)
    }
    _ = try await state.code.resend().code.submit(.typed("12345678")).account
    #expect(servers.requests[4].contains("continuation_token=first"))
  }

  @Test func `after a wrong password the same state has the same rights`() async throws {
    let script = try EmailScript()
      .answering("challenge", EmailScript.passwordDue("due"))
      .answering(
        "token", EmailScript.refused("invalid_grant", 50126),
        try EmailScript.granted(signed: EmailScript.claims()))
    let state = try await script.named(script.servers).password
    let error = try await refusal { try await state.submit(.typed("wrong")) }
    #expect(error.reason == .invalidPassword)
    _ = try await (try #require(error.again)).password.submit(.typed("right")).account
  }

  @Test func `a code of another length is not sent`() async throws {
    let script = try EmailScript()
    let servers = script.servers
    let code = try await script.named(servers).code
    for text in ["", "1234567", "123456789"] {
      let error = try await refusal { try await code.submit(.typed(text)) }
      #expect(error.reason == .invalidCode)
      #expect(try #require(error.again).code.length == 8)
    }
    #expect(servers.requests.count == 2)
  }

  @Test(arguments: EmailScript.requests)
  func `a provider that wants a browser gets one, whichever request it says so at`(request: String)
    async throws
  {
    let script = try EmailScript()
      .answering("challenge", EmailScript.passwordDue("due"), EmailScript.codeSent("sent"))
      .answering(
        "token",
        EmailScript.refused(
          "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half","#)
      )
      .answering(request, EmailScript.redirect)
    let error = try await refusal {
      try await script.named(script.servers).password.submit(.typed("pass"))
    }
    #expect(error.reason == .browserRequired && error.again == nil && error.correlationID != nil)
  }

  @Test func `a second factor that is no code cannot be asked for`() async throws {
    for methods in [
      #"[]"#, #"[{"id":"w","challenge_type":"webauthn"}]"#, #"[{"challenge_type":"oob"}]"#,
      #"[{"id":"","challenge_type":"oob"}]"#, #""oob""#,
    ] {
      let script = try EmailScript()
        .answering("challenge", EmailScript.passwordDue("due"))
        .answering(
          "token",
          EmailScript.refused(
            "invalid_grant", 50076, sub: "mfa_required", #""continuation_token":"half","#)
        )
        .answering("introspect", .json(#"{"continuation_token":"c","methods":\#(methods)}"#))
      let error = try await refusal {
        try await script.named(script.servers).password.submit(.typed("pass"))
      }
      #expect(error.reason == .secondFactor)
    }
  }

  @Test func `causes that a program treats alike have one reason`() {
    for (cause, reason) in [
      (.invalidCredentials, .invalidPassword), (.invalidPassword, .invalidPassword),
      (.noPassword, .passwordUnusable), (.passwordResetRequired, .passwordUnusable),
      (.registrationRequired, .secondFactor), (.exchange(.http(.timeout)), .network),
      (.exchange(.notHTTPS), .answerUnusable), (.token(.malformed), .notBelieved),
      (.clientRefused, .service), (.description(.noMethod), .service),
      (.store(.tooLarge), .thisMachine), (.listener, .thisMachine), (.status(500), .status(500)),
      (.denied(UntrustedText("no")), .denied(UntrustedText("no"))),
    ] as [(SignInError.Cause, SignInError.Reason)] {
      #expect(SignInError(cause).reason == reason)
    }
  }

  @Test func `a number for logs that is none is not repeated`() async throws {
    for text in [#"\u001b[2J"#, "a b", "", String(repeating: "a", count: 65), #"x\"y"#] {
      let script = try EmailScript().answering(
        "initiate", .json(#"{"error":"user_not_found","correlation_id":"\#(text)"}"#, status: 400))
      let servers = script.servers
      let error = try await refusal { try await script.named(servers) }
      #expect(error.correlationID == servers.headers[0]["client-request-id"])
    }
  }

  @Test func `whoever gave up is told so`() async throws {
    let script = try EmailScript().answering("initiate", .failure(.cancelled))
    #expect(try await refusal { try await script.named(script.servers) }.reason == .cancelled)
  }
}
