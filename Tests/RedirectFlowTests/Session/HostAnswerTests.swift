import CIECard
import RedirectFlow
import TestSupport
import Testing
import VirtualCIE

/// Ends of a login by the surrounding program: a text that is no PIN, a person who gives up.
extension SandboxLoginTests {
  @Test(
    arguments: [
      ("2718281", .pin(.length(7))), ("2718281x", .pin(.notDigits)), (nil, .cancelled),
    ] as [(String?, LoginError)])
  func `a PIN without the form of one is not sent`(
    _ text: String?, _ expected: LoginError
  ) async throws {
    let sandbox = try SharedSandbox.fresh()
    let access = VirtualAccess()
    let card = access.asking { () throws(AccessCode.FormatError) in
      if let text { try PIN(digits: text) } else { nil }
    }
    let session = LoginSession(try sandbox.configuration(), card: card, person: TestPerson())
    let error = await #expect(throws: LoginFailure.self) {
      try await session.logIn(at: try sandbox.login())
    }
    #expect(error?.error == expected && access.verifications == 0)
  }

  @Test func `a participant that throws cancels; it has not answered`() async throws {
    let sandbox = try SharedSandbox.fresh()
    let person = LeavingPerson()
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession, person: person)
    let following = Task { await session.events.reduce(into: []) { $0.append($1) } }
    let error = await #expect(throws: LoginFailure.self) {
      try await session.logIn(at: try sandbox.login())
    }
    #expect(error?.error == .cancelled)
    let events = await following.value
    #expect(events.contains { if case .consentAsked = $0 { true } else { false } })
    #expect(!events.contains { if case .consentAnswered = $0 { true } else { false } })
  }
}

/// Leaves at the question for consent.
private struct LeavingPerson: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool { true }

  func consents(to request: ConsentRequest) throws(CancellationError) -> Bool {
    throw CancellationError()
  }
}
