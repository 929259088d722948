import Primitives
import Web
import TestSupport
import Testing

@testable import SignIn

/// Device grant with a provider that is slow, wrong or unreachable (RFC 8628 §3.5).
@Suite struct DeviceScriptTests {
  private static let answer =
    #"{"device_code":"secret-device","user_code":"ABCD","verification_uri":"https://op.example/go","#
    + #""verification_uri_complete":"https://op.example/go?c=ABCD","expires_in":60,"interval":10}"#

  /// Result with these responses of the token endpoint, and the time waited.
  private func outcome(
    _ device: String = answer, _ tokens: [ScriptedServers.Answer]
  ) async throws -> (Result<Account, SignInError>, ScriptedClock, ScriptedServers) {
    var script = try OpenIDScript()
    script.answers["POST https://op.example/device"] = [.json(device)]
    script.answers["POST https://op.example/token"] = tokens
    var entry = try script.entry()
    let client = try OpenIDClient(&entry)
    let servers = script.servers()
    let context = try servers.context(clock: script.clock)
    do throws(SignInError) {
      let session = try OpenIDSession(client, context)
      let begun = try DeviceAuthorization.begin(session, scopes: ["openid", "identity"])
      #expect(!printed(begun).contains("secret"))
      return (
        .success(try begun.account(of: try begun.tokens(), .identityApp)), script.clock, servers
      )
    } catch {
      return (.failure(error), script.clock, servers)
    }
  }

  private func reason(
    _ device: String = answer, _ tokens: [ScriptedServers.Answer] = []
  ) async throws -> SignInError.Cause? {
    switch try await outcome(device, tokens).0 {
    case .success: nil
    case .failure(let error): error.cause
    }
  }

  private static func wait(_ word: String) -> ScriptedServers.Answer {
    .json(#"{"error":"\#(word)"}"#, status: 400)
  }

  private func good() throws -> ScriptedServers.Answer {
    .json(OpenIDScript.tokens(try OpenIDScript().identity()))
  }

  @Test func `it asks with the code, waits as long as it is told, and proves what comes`()
    async throws
  {
    let (result, clock, servers) = try await outcome(
      Self.answer,
      [Self.wait("authorization_pending"), Self.wait("slow_down"), good()])
    let account = try result.get()
    #expect(account.claims["family_name"] == ["PROVA"])
    #expect(clock.waited == 10 + 10 + 15)
    let polls = servers.requests.filter { $0.hasPrefix("POST https://op.example/token") }
    #expect(polls.count == 3 && polls.allSatisfy { $0.contains("device_code=secret-device") })
    #expect(servers.requests.contains { $0.contains("scope=openid%20identity") })
    // No client assertion is sent twice.
    let proofs = servers.requests.compactMap { $0.split(separator: "client_assertion=").last }
    #expect(Set(proofs).count == proofs.count)
  }

  @Test func `a network that is away is given twice as long each time`() async throws {
    let (result, clock, _) = try await outcome(
      Self.answer.replacing("60", with: "600"),
      [.failure(.connect(host: "op.example")), .failure(.timeout), good()])
    #expect(try result.get().method == "identity-app")
    #expect(clock.waited == 10 + 20 + 40)
  }

  @Test func `a server whose certificate is wrong is not asked again`() async throws {
    let error = HTTPError.serverCertificate(.expired)
    #expect(try await reason(Self.answer, [.failure(error)]) == .exchange(.http(error)))
  }

  @Test func `it ends when the provider said it would`() async throws {
    let (result, clock, _) = try await outcome(
      Self.answer, [Self.wait("authorization_pending")])
    guard case .failure(let error) = result else { throw NotRefused() }
    #expect(error.cause == .timedOut && clock.waited == 60)
  }

  @Test func `each refusal has its own error`() async throws {
    for (word, reason) in [
      ("access_denied", SignInError.Cause.denied(UntrustedText("access_denied"))),
      ("expired_token", .expired), ("invalid_grant", .openID(.refused(.invalidGrant))),
      ("slow", .openID(.refusedOtherwise(UntrustedText("slow")))),
    ] {
      #expect(try await self.reason(Self.answer, [Self.wait(word)]) == reason)
    }
    #expect(try await reason(Self.answer, [.status(500)]) == .status(500))
  }

  @Test func `each word of the tables is an error of its own`() {
    let reasons = OpenIDRefusal.allCases.map { SignInError(refusal: $0.rawValue, nil).cause }
    for (index, reason) in reasons.enumerated() {
      #expect(!reasons[..<index].contains(reason), "\(reason)")
    }
  }

  @Test func `an answer that lacks something, or has something impossible, begins nothing`()
    async throws
  {
    for name in ["device_code", "user_code"] {
      #expect(
        try await reason(Self.answer.replacing(#""\#(name)""#, with: #""x""#))
          == .exchange(.missingMember(name)))
    }
    for (from, to, member) in [
      (#""verification_uri""#, #""x""#, "verification_uri"), ("60", "0", "expires_in"),
      ("60", "-1", "expires_in"), ("60", #""60""#, "expires_in"), ("10", "121", "interval"),
      ("10", "-1", "interval"), ("10", "1e1", "interval"),
      ("https://op.example/go?c=ABCD", "javascript:alert(1)", "verification_uri_complete"),
    ] {
      #expect(
        try await reason(Self.answer.replacing(from, with: to)) == .exchange(.wrongMember(member)),
        "\(to)")
    }
    #expect(
      try await reason(
        Self.answer.replacing("https://op.example/go?", with: "http://op.example/go?"))
        == .exchange(.notHTTPS))
  }

  @Test func `a token that is not for us, or none, is no sign-in`() async throws {
    let script = try OpenIDScript()
    let foreign = try script.identity([.init("aud", "other")])
    #expect(
      try await reason(Self.answer, [.json(OpenIDScript.tokens(foreign))])
        == .token(.audienceWrong))
    #expect(
      try await reason(Self.answer, [.json(OpenIDScript.tokens(nil))])
        == .exchange(.missingMember("id_token")))
    let nobody = try script.identity([.init("sub", "")])
    #expect(
      try await reason(Self.answer, [.json(OpenIDScript.tokens(nobody))])
        == .token(.claimMalformed("sub")))
  }
}
