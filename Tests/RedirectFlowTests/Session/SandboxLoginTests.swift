import CIECard
import RedirectFlow
import TestSupport
import Testing
import VirtualCIE

/// Whole logins between this library, a software card and the sandbox, which uses another language and library.
@Suite(.serialized) struct SandboxLoginTests {
  @Test(
    arguments: ["client-certificate", "signed-challenge", "own-port"],
    ["", "?binding=post", "?comparison=minimum"])
  func headless(_ method: String, _ query: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    let card = VirtualAccess()
    let person = TestPerson()
    let delegate = TestDelegate()
    let session = LoginSession(
      try sandbox.configuration(method), card: card.forSession, person: person, observer: person,
      delegate: delegate)
    let result = try await session.logIn(at: try sandbox.login(query))
    #expect(result.url.text == (try sandbox.address("spProfile")) && result.status == 200)
    #expect(result.cookies.contains { $0.name == "sandbox_sp" })
    #expect(card.signatures == 1 && card.verifications == 1)
    #expect(delegate.calls == ["success"])

    let shown = try #require(person.shown.first)
    #expect(shown.server == (try sandbox.configuration(method)).environment.identityProvider.origin)
    #expect(shown.purpose?.display.contains("SANDBOX") == true)
    let asked = try #require(person.asked.first?.attributes)
    #expect(asked.map(\.value).contains("TINIT-" + Persona.gemalto.fiscalCode))
    #expect(asked.count == 4)

    var events: [LoginEvent] = []
    for await event in session.events { events.append(event) }
    #expect(events == person.events)
    let order = events.map { "\($0)".prefix { $0 != "(" } }
    #expect(
      order == [
        "opening", "reachedIdentityProvider", "handOff", "presentingCertificate", "cardAccepted",
        "consentAsked", "consentAnswered", "responding", "loggedIn",
      ])
  }

  /// From the page with the button, with every kind of chip and both methods of using its key.
  @Test(
    arguments: Persona.all.map(\.identifier), ["client-certificate", "signed-challenge"])
  func button(_ name: String, _ method: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    let persona = try #require(Persona.named(name))
    let card = VirtualAccess(persona)
    let person = TestPerson()
    let session = LoginSession(
      try sandbox.configuration(method), card: card.forSession, person: person)
    let result = try await session.logIn(at: try RedirectURL(try sandbox.address("sp")))
    #expect(result.status == 200)
    #expect(card.signatures == 1)
    let asked = try #require(person.asked.first?.attributes)
    #expect(asked.map(\.value).contains("TINIT-" + persona.fiscalCode))
  }

  /// The sandbox accepts the completed URL of the assisted mode from a browser.
  @Test(arguments: ["client-certificate", "signed-challenge"])
  func assisted(_ method: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    let card = VirtualAccess()
    let session = LoginSession(
      try sandbox.configuration(method), card: card.forSession, person: TestPerson())
    let url = try await session.complete(try sandbox.cardLink())
    #expect(
      url.queryItems.map(\.name)
        == (method == "signed-challenge"
          ? ["challenge", "conversation"] : ["conversation", "login", "codice"]))
    // A session is one login, and a good link does not make it another.
    let link = try sandbox.cardLink()
    let error = await #expect(throws: LoginError.self) { try await session.complete(link) }
    guard case .used = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(card.signatures == 1)
  }

  @Test func deniedConsent() async throws {
    let sandbox = try SharedSandbox.fresh()
    let before = try sandbox.log.split(separator: "\n").count
    let delegate = TestDelegate()
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession,
      person: TestPerson(agreeing: false),
      delegate: delegate)
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: try sandbox.login())
    }
    guard case .consentDenied = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(delegate.calls == ["error"])
    let after = try sandbox.log.split(separator: "\n").dropFirst(before)
    // Neither yes nor no is sent: the identity provider waits, the service provider knows nothing.
    #expect(!after.contains { $0.contains("answered") || $0.contains("completion.decide") })
    #expect(!after.contains { $0.contains("what=consume") || $0.contains("logged-in") })
  }

  /// No data are sent when the person rejects the receiver: no PIN, no signature, no call.
  @Test func refusedPresentation() async throws {
    let sandbox = try SharedSandbox.fresh()
    let card = VirtualAccess()
    let delegate = TestDelegate()
    let session = LoginSession(
      try sandbox.configuration(), card: card.forSession, person: TestPerson(allowing: false),
      delegate: delegate)
    await #expect(throws: LoginError.self) { try await session.logIn(at: try sandbox.login()) }
    #expect(card.verifications == 0 && card.signatures == 0)
    #expect(delegate.calls == ["cancelled"])
  }

  @Test(arguments: ["script-link", "odd-token"]) func variants(_ name: String) async throws {
    let sandbox = try SharedSandbox.fresh()
    try sandbox.turn(name, on: true)
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession, person: TestPerson())
    #expect(try await session.logIn(at: try sandbox.login()).status == 200)
  }
}
