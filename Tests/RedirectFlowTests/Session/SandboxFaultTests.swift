import CIECard
import RedirectFlow
import TestSupport
import Testing
import VirtualCIE

extension SandboxLoginTests {
  /// The server is verified before the card signs: with any fault of it, there was no signature.
  @Test(arguments: [
    ("server-expired", HTTPError.serverCertificate(.expired)),
    ("server-wrong-host", .serverCertificate(.wrongHost)),
    ("server-unknown-ca", .serverCertificate(.unknownAuthority)),
    ("tls13-only", .serverDemandsTLS13), ("pss-only", .serverDemandsPSS),
  ])
  func nothingIsSignedForAWrongServer(_ fault: String, _ expected: HTTPError) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.arm(fault)
    let (error, card) = try await failure(sandbox)
    #expect(error == .http(expected, .cardCall))
    #expect(card.signatures == 0)
  }

  @Test(arguments: ["tls11-only", "tls-close", "tls-slow"])
  func nothingIsSignedWithoutTLS(_ fault: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.arm(fault)
    let (error, card) = try await failure(
      sandbox, timeout: .seconds(fault == "tls-slow" ? 5 : 60))
    guard case .http(_, .cardCall) = error else {
      Issue.record("\(fault): \(error)")
      return
    }
    #expect(card.signatures == 0)
  }

  /// A wrong page server ends the login before the PIN is asked for.
  @Test(arguments: ["server-expired", "server-wrong-host", "server-unknown-ca"], ["idp", "sp"])
  func noPINForAWrongPageServer(_ fault: String, _ place: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.arm(fault, at: place)
    let (error, card) = try await failure(sandbox)
    guard case .http(.serverCertificate, let stage) = error else {
      Issue.record("\(fault): \(error)")
      return
    }
    #expect(stage == (place == "sp" ? .serviceProvider : .identityProvider))
    #expect(card.verifications == 0)
  }

  /// Only the card call's host gets the certificate in TLS, whichever server requests it; the sandbox has counted.
  @Test(
    arguments: ["idp", "sp"],
    [
      ("client-certificate", [1, 0, 0]), ("own-port", [0, 1, 0]), ("signed-challenge", [0, 0, 0]),
    ])
  func certificateGoesNowhereElse(
    _ place: String, _ expected: (method: String, certificates: [Int])
  ) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.arm("ask-certificate", at: place, once: false)
    let card = VirtualAccess()
    let session = LoginSession(
      try sandbox.configuration(expected.method), card: card.forSession, person: TestPerson())
    let before = try sandbox.certificates()
    #expect(try await session.logIn(at: try sandbox.login()).status == 200)
    #expect(card.signatures == 1)
    #expect(zip(try sandbox.certificates(), before).map(-) == expected.certificates)
  }

  /// The card's own failures, at each point: before the PIN, at the PIN, at the signature.
  @Test(arguments: [
    "card-removed@5", "card-removed@20:1", "card-removed@2A:1", "card-removed@88:2", "card-mute@14",
  ])
  func cardLost(_ fault: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    let card = VirtualAccess(faults: try FaultPlan(parsing: fault))
    let before = try sandbox.certificates()
    let (error, _) = try await failure(sandbox, card: card)
    guard case .card(let error) = error, case .channel = error.reason else {
      Issue.record("\(fault): \(error)")
      return
    }
    #expect(card.verifications <= 1)
    // The server never got as far as a certificate.
    #expect(try sandbox.certificates() == before)
  }

  /// A cancelled login ends during a server's silence, and during a question to the person.
  @Test(arguments: ["slow", "tls-slow", "login-slow"])
  func cancelled(_ fault: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.arm(fault)
    let delegate = TestDelegate()
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession, person: TestPerson(),
      delegate: delegate)
    let task = Task { try await session.logIn(at: try sandbox.login()) }
    // Until the exchange without end has begun; its time limit is ten seconds.
    for await event in session.events {
      if case .presentingCertificate = event { break }
      if fault == "login-slow", case .reachedIdentityProvider = event { break }
    }
    task.cancel()
    let result = await task.result
    guard case .failure(let error as LoginError) = result, case .cancelled = error.reason else {
      Issue.record("\(fault): \(result)")
      return
    }
    #expect(delegate.calls == ["cancelled"])
  }

  /// A login that must fail.
  func failure(
    _ sandbox: Sandbox, card: VirtualAccess = VirtualAccess(), timeout: Duration = .seconds(60)
  ) async throws -> (LoginError.Cause, VirtualAccess) {
    var configuration = try sandbox.configuration()
    configuration.timeout = timeout
    let session = LoginSession(configuration, card: card.forSession, person: TestPerson())
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: try sandbox.login())
    }
    return (try #require(error).cause, card)
  }
}
