import CIECard
import RedirectFlow
import Synchronization
import TestSupport
import Testing
import VirtualCIE

/// Ends of a login by the surrounding program: a text that is no PIN, a person who gives up.
extension SandboxLoginTests {
  @Test(
    arguments: [
      ("2718281", .pin(.length(7))), ("2718281x", .pin(.notDigits)), (nil, .cancelled),
    ] as [(String?, LoginError.Cause)])
  func `a PIN without the form of one is not sent`(
    _ text: String?, _ expected: LoginError.Cause
  ) async throws {
    let sandbox = try SharedSandbox.fresh()
    let access = VirtualAccess()
    let card = access.asking { () throws(AccessCode.FormatError) in
      if let text { try PIN(digits: text) } else { nil }
    }
    let session = LoginSession(try sandbox.configuration(), card: card, person: TestPerson())
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: try sandbox.login())
    }
    #expect(error?.cause == expected && access.verifications == 0)
  }

  @Test func `a participant that throws cancels; it has not answered`() async throws {
    let sandbox = try SharedSandbox.fresh()
    let person = LeavingPerson()
    let session = LoginSession(
      try sandbox.configuration(), card: VirtualAccess().forSession, person: person)
    let following = Task { await session.events.reduce(into: []) { $0.append($1) } }
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: try sandbox.login())
    }
    #expect(error?.cause == .cancelled)
    let events = await following.value
    #expect(events.contains { if case .consentAsked = $0 { true } else { false } })
    #expect(!events.contains { if case .consentAnswered = $0 { true } else { false } })
  }

  @Test(arguments: [true, false])
  func `after giving up only an answer of the card ends a login`(_ isGivenUp: Bool) async throws {
    let wrong = LoginError(.card(CardError(.verifyPIN, .wrongCode(.pin, triesLeft: 2))))
    let gone = LoginError(.card(CardError(.verifyPIN, .channel(.cardRemoved))))
    let own = LoginError(endedBy: CancellationError())
    let sandbox = try SharedSandbox.fresh()
    for error in [wrong, gone, own] {
      let card = LeavingCard(error: error)
      let session = LoginSession(
        try sandbox.configuration(), card: LoginCard(card), person: TestPerson())
      if isGivenUp { card.whenAsked { session.cancel() } }
      let link = try sandbox.cardLink()
      let end = await #expect(throws: LoginError.self) { try await session.complete(link) }
      #expect(end?.cause == (isGivenUp && error != wrong ? .cancelled : error.cause))
      #expect((end?.thrown == nil) == (isGivenUp || error != own))
    }
  }
}

/// A card whose conversation ends with this error.
private final class LeavingCard: CardAccess {
  private let error: LoginError
  private let asked = Mutex<(@Sendable () -> Void)?>(nil)

  init(error: LoginError) { self.error = error }

  func whenAsked(_ body: @escaping @Sendable () -> Void) { asked.withLock { $0 = body } }

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    asked.withLock { $0 }?()
    throw error
  }

  func giveUp() {}
}

/// Leaves at the question for consent.
private struct LeavingPerson: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool { true }

  func consents(to request: ConsentRequest) throws(CancellationError) -> Bool {
    throw CancellationError()
  }
}
