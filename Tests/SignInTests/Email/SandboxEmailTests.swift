import Primitives
import Glibc
import Web
import TestSupport
import Testing

@testable import SignIn

/// Native authentication with the sandbox, which is written in another language with another library for tokens.
extension SandboxSignInTests {
  @Test func `a code from the mailbox signs in, with the claims of the user file`() async throws {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("code")
    let state = try await sandbox.signIn(by: .email).begin()
    let code = try await state.userName.submit(user.name).code
    #expect(code.length == 8 && code.channel?.raw == "email" && code.canResend)
    #expect(
      code.sentTo?.raw.contains("***") == true && code.sentTo?.raw.contains(user.name) == false)
    let account = try await code.submit(.typed(try sandbox.code())).account
    #expect(account.service == "Sandbox" && account.method == "email")
    #expect(account.claims["loyaltyNumber"] == ["SANDBOX-0042"])
    #expect(account.claims["interests"] == ["mare", "libri"])
    #expect(account.claims[.emailAddress] == user.name)
    #expect(account.claims[.codiceFiscale] == "SMPSLL82X99Z999S")
    #expect(account.claims["sub"].first?.count == 40)
    #expect(account.tokens?.refresh != nil && account.expires != nil)
  }

  @Test(arguments: ["password", "both"])
  func `a password signs in`(role: String) async throws {
    let sandbox = try Self.fresh()
    let user = try sandbox.user(role)
    let state = try await sandbox.signIn(by: .email).begin().userName.submit(user.name)
    let account = try await state.password.submit(.typed(user.password)).account
    #expect(account.claims["preferred_username"] == [user.name])
  }

  @Test func `a password and a code on the phone sign in`() async throws {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("mfa")
    let state = try await sandbox.signIn(by: .email).begin().userName.submit(user.name)
    let code = try await state.password.submit(.typed(user.password)).code
    #expect(code.channel?.raw == "sms" && code.sentTo?.raw.hasSuffix("42") == true)
    let wrong = try await refusal { try await code.submit(.typed("00000000")) }
    #expect(wrong.reason == .invalidCode && wrong.number == 50181)
    let again = try #require(wrong.again).code
    _ = try await again.submit(.typed(try sandbox.code())).account
  }

  @Test
  func
    `a wrong code may be tried again, another code be sent, and the first one is of no use then`()
    async throws
  {
    let sandbox = try Self.fresh()
    let name = try sandbox.user("code").name
    let code = try await sandbox.signIn(by: .email).begin().userName.submit(name).code
    let first = try sandbox.code()
    let early = try await refusal { try await code.resend() }
    #expect(early.cause == .tooManyRequests(retryAfter: 1) && early.number == 50196)
    // The sandbox sends no second code within a second.
    usleep(1_100_000)
    let another = try await (try #require(early.again)).code.resend().code
    let second = try sandbox.code()
    let wrong = try await refusal { try await another.submit(.typed(first)) }
    #expect(
      wrong.reason == .invalidCode && wrong.number == 50181 && wrong.correlationID?.count == 36)
    let again = try #require(wrong.again).code
    #expect(again.length == 8 && again.canResend)
    _ = try await again.submit(.typed(second)).account
  }

  @Test func `the third wrong code is the last`() async throws {
    let sandbox = try Self.fresh()
    let name = try sandbox.user("code").name
    let code = try await sandbox.signIn(by: .email).begin().userName.submit(name).code
    for _ in 0..<3 {
      let wrong = try await refusal { try await code.submit(.typed("00000000")) }
      #expect(wrong.reason == .invalidCode)
    }
    let over = try await refusal { try await code.submit(.typed(try sandbox.code())) }
    #expect(over.cause == .expired && over.number == 552_003 && over.again == nil)
  }

  @Test func `who cannot sign in here is told why`() async throws {
    let sandbox = try Self.fresh()
    let session = try sandbox.signIn(by: .email)
    let state = try await session.begin().userName
    let unknown = try await refusal { try await state.submit("nessuno@example.invalid") }
    #expect(unknown.reason == .userNotFound && unknown.number == 50034)
    let strange = try await refusal {
      try await state.submit(String(repeating: "n", count: 65) + "@example.invalid")
    }
    #expect(strange.reason == .invalidUserName && strange.number == 90100)
    let browser = try await refusal { try await state.submit(try sandbox.user("browser").name) }
    #expect(browser.reason == .browserRequired)

    func refused(_ role: String, _ password: String? = nil) async throws -> SignInError {
      let user = try sandbox.user(role)
      return try await refusal {
        try await state.submit(user.name).password.submit(.typed(password ?? user.password))
      }
    }
    let wrong = try await refused("password", "wrong")
    #expect(wrong.reason == .invalidPassword && wrong.number == 50126)
    let again = try #require(wrong.again).password
    _ = try await again.submit(.typed(try sandbox.user("password").password)).account
    let reset = try await refused("reset")
    #expect(reset.cause == .passwordResetRequired && reset.number == 50142)
    let blocked = try await refused("blocked")
    #expect(blocked.reason == .methodBlocked && blocked.number == 50053)
    // The provider requires a browser, because this program cannot register a factor.
    #expect(try await refused("register").reason == .browserRequired)
  }

  @Test func `tokens are refreshed, each refresh token once`() async throws {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("password")
    let account = try await sandbox.signIn(by: .email).begin().userName.submit(user.name)
      .password.submit(.typed(user.password)).account
    let method = try #require(try sandbox.service().description.way(.email))
    let second = try method.refresh(account, try sandbox.context())
    #expect(second.claims["sub"] == account.claims["sub"])
    #expect(second.tokens?.refresh != account.tokens?.refresh)
    let used = try await refusal { try method.refresh(account, try sandbox.context()) }
    #expect(used.reason == .refreshTokenExpired && used.number == 700_082)
    // Reuse of a refresh token revokes all tokens of the same sign-in.
    let after = try await refusal { try method.refresh(second, try sandbox.context()) }
    #expect(after.reason == .refreshTokenExpired)
    try sandbox.arm("native-refresh-expired")
    #expect(
      try await refusal { try method.refresh(account, try sandbox.context()) }
        .reason == .refreshTokenExpired)
  }

  /// Faults, the time of arming, and the expected cause.
  static let nativeFaults: [(fault: String, afterName: Bool, reason: SignInError.Cause?)] = [
    ("native-redirect", false, .browserRequired),
    ("native-code-wrong", true, .invalidCode),
    ("native-token-stale", false, .expired),
    ("native-token-dead", false, .expired),
    ("native-unknown-challenge", false, .exchange(.wrongMember("challenge_type"))),
    ("native-escapes", false, nil),
    ("native-code-length-0", false, nil),
    ("native-code-length-huge", false, nil),
    ("native-interval-negative", false, nil),
    ("native-expires-negative", true, nil),
    ("native-expires-huge", true, nil),
    ("native-token-type", true, .exchange(.wrongMember("token_type"))),
    ("native-issuer-host", true, .exchange(.wrongMember("issuer"))),
    ("native-keys-http", true, .exchange(.notHTTPS)),
    ("native-keys-none", true, .token(.keyUnknown)),
    ("native-invalid-contact", false, .invalidChallenge),
    ("native-provider-blocked", false, .methodBlocked),
    ("native-introspect-required", true, .invalidChallenge),
    ("native-registration-required", true, .registrationRequired),
    ("native-reset-required", true, .passwordResetRequired),
    ("native-chain-expired", true, .expired),
    ("native-unknown-error", true, .badRequest(UntrustedText("error_of_another_time"))),
    ("native-password-too-weak", true, .denied(UntrustedText("password_too_weak"))),
    ("native-password-too-short", true, .denied(UntrustedText("password_too_short"))),
    ("native-password-too-long", true, .denied(UntrustedText("password_too_long"))),
    ("native-password-is-invalid", true, .denied(UntrustedText("password_is_invalid"))),
    ("native-password-recently-used", true, .denied(UntrustedText("password_recently_used"))),
    ("native-password-banned", true, .denied(UntrustedText("password_banned"))),
    ("native-attribute-refused", true, .denied(UntrustedText("attribute_validation_failed"))),
    ("token-alg-none", true, .token(.algorithmForbidden("none"))),
    ("token-hs256", true, .token(.algorithmForbidden("HS256"))),
    ("token-other-key", true, .token(.signatureInvalid)),
    ("token-unknown-kid", true, .token(.keyUnknown)),
    ("token-header-jwk", true, .token(.bringsItsKey(member: "jwk"))),
    ("token-header-jku", true, .token(.bringsItsKey(member: "jku"))),
    ("token-header-x5u", true, .token(.bringsItsKey(member: "x5u"))),
    ("token-crit", true, .token(.criticalExtension)),
    ("token-tampered", true, .token(.signatureInvalid)),
    ("token-garbage", true, .token(.malformed)),
    ("token-wrong-issuer", true, .token(.issuerWrong)),
    ("token-wrong-audience", true, .token(.audienceWrong)),
    ("token-expired", true, .token(.expired)),
    ("token-not-yet", true, .token(.issuedInFuture)),
    ("token-no-expiry", true, .token(.claimMissing("exp"))),
    ("token-no-subject", true, .token(.claimMissing("sub"))),
    // The request had no nonce, so that any is accepted.
    ("token-wrong-nonce", true, nil),
  ]

  @Test(arguments: nativeFaults.indices)
  func `each fault of native sign-in and its tokens is seen for what it is`(_ index: Int)
    async throws
  {
    let (fault, afterName, reason) = Self.nativeFaults[index]
    #expect(try await outcome(of: fault, afterName: afterName) == reason, "\(fault)")
  }

  @Test func `keys on another host are not asked for`() async throws {
    guard
      case .exchange(.foreignHost(let origin)) = try await outcome(
        of: "native-keys-host", afterName: true)
    else {
      Issue.record("not refused")
      return
    }
    #expect(origin.host == "elsewhere.cie-sandbox.invalid")
  }

  static let wayFaults: [(fault: String, reason: SignInError.Cause)] =
    [
      ("way-429", .tooManyRequests(retryAfter: 1)),
      ("way-not-json", .exchange(.notJSON(status: 200))),
      ("way-not-utf8", .exchange(.notJSON(status: 200))),
      ("way-html", .exchange(.notJSON(status: 200))),
      ("way-content-type", .exchange(.notJSON(status: 200))),
      ("way-empty", .exchange(.missingMember("continuation_token"))),
      ("way-array", .exchange(.missingMember("continuation_token"))),
      ("way-deep", .exchange(.notJSON(status: 200))),
      ("way-no-members", .exchange(.missingMember("continuation_token"))),
      ("way-wrong-types", .exchange(.missingMember("continuation_token"))),
      ("way-repeated-member", .exchange(.repeatedMember("continuation_token"))),
      ("way-huge", .exchange(.http(.bodyTooLarge(limit: 256 << 10)))),
      ("way-endless", .exchange(.http(.bodyTooLarge(limit: 256 << 10)))),
      ("way-truncated", .exchange(.http(.disconnected))),
      ("way-slow", .exchange(.http(.timeout))),
      ("way-drip", .exchange(.http(.timeout))),
      ("way-redirect-loop", .exchange(.redirected(status: 307))),
      ("way-redirect-host", .exchange(.redirected(status: 307))),
      ("way-redirect-http", .exchange(.redirected(status: 307))),
    ]
    + [400, 401, 403, 404, 405, 409, 500, 503, 504].map {
      ("way-\($0)", .badRequest(UntrustedText("server-fault")))
    }

  @Test(arguments: wayFaults.indices)
  func `each fault of the server under native sign-in is seen for what it is`(_ index: Int)
    async throws
  {
    let (fault, reason) = Self.wayFaults[index]
    #expect(try await outcome(of: fault, afterName: false) == reason, "\(fault)")
  }

  /// Runs a sign-in by code with a fault; `nil` for success.
  private func outcome(of fault: String, afterName: Bool) async throws -> SignInError.Cause? {
    let sandbox = try Self.fresh()
    let name = try sandbox.user("code").name
    // The first request is the slow one: only these faults need a short timeout.
    let isSlow = ["way-slow", "way-drip"].contains(fault)
    let state = try await sandbox.signIn(by: .email, timeout: .seconds(isSlow ? 1 : 600)).begin()
      .userName
    do {
      if !afterName { try sandbox.arm(fault) }
      let code = try await state.submit(name).code
      let text = try sandbox.code()
      if afterName { try sandbox.arm(fault) }
      _ = try await code.submit(.typed(text)).account
      return nil
    } catch let error as SignInError { return error.cause }
  }
}
