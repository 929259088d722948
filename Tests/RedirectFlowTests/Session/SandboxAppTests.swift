import RedirectFlow
import TestSupport
import Testing

extension SandboxLoginTests {
  @Test(arguments: ["?level=1", "?level=2"], [true, false])
  func app(_ query: String, _ byLoopback: Bool) async throws {
    let sandbox = try SharedSandbox.fresh()
    let card = VirtualAccess()
    let person = TestPerson()
    let session = LoginSession(
      try sandbox.configuration(), card: card.forSession,
      app: TestApp(sandbox: sandbox, byLoopback: byLoopback), person: person)
    #expect(try await session.logIn(at: try sandbox.login(query)).status == 200)
    #expect(person.shown.isEmpty && card.verifications == 0)
  }

  @Test func appByUniversalLink() async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.turn("universal-link", on: true)
    var configuration = try sandbox.configuration()
    configuration.policy = .universal
    configuration.callbackScheme = "kiosk"
    let session = LoginSession(
      configuration, card: VirtualAccess().forSession, app: TestApp(sandbox: sandbox),
      person: TestPerson())
    #expect(try await session.logIn(at: try sandbox.login("?level=2")).status == 200)
  }

  @Test(arguments: [
    ("expired", AppFailure.certificateExpired), ("invalid", .invalidOperation),
    ("empty", .unknown),
  ])
  func appFailure(_ outcome: String, _ expected: AppFailure) async throws {
    let sandbox = try SharedSandbox.fresh()
    let error = try await appError(TestApp(sandbox: sandbox, outcome: outcome))
    #expect(error == .app(expected))
  }

  @Test func appCancelled() async throws {
    let sandbox = try SharedSandbox.fresh()
    let error = try await appError(TestApp(sandbox: sandbox, outcome: "cancel"))
    #expect(error == .cancelled)
  }

  @Test func `a program that cannot hand over cancels`() async throws {
    #expect(try await appError(UnreachableApp()) == .cancelled)
  }

  private struct UnreachableApp: AppAccess {
    func handOver(_ invitation: AppInvitation) throws(CancellationError) -> String? {
      throw CancellationError()
    }
  }

  @Test func withoutApp() async throws {
    #expect(try await appError(nil) == .needsApp)
  }

  /// The returned URL is checked like every URL from outside.
  @Test(arguments: [
    "https://evil.example/idp/login/livello2mobile?value=e1s1", "http://localhost/", "", "x",
  ])
  func foreignAnswer(_ text: String) async throws {
    let error = try await appError(FixedApp(text: text))
    guard case .handOff(.appReturn) = error else {
      Issue.record("\(error)")
      return
    }
  }

  private struct FixedApp: AppAccess {
    let text: String

    func handOver(_ invitation: AppInvitation) -> String? { text }
  }

  private func appError(_ app: (any AppAccess)?) async throws -> LoginError.Cause {
    let sandbox = try SharedSandbox.fresh()
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession, app: app, person: TestPerson())
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: try sandbox.login("?level=2"))
    }
    return try #require(error).cause
  }
}
