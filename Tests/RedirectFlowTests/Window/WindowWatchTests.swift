import Synchronization
import Testing

@testable import RedirectFlow
@testable import Web

/// The browser's end while the card's holder is asked.
@Suite struct WindowWatchTests {
  private static let handOff =
    #"{"method":"Fetch.requestPaused","sessionId":"S","params":{"requestId":"R","frameId":"F","#
    + #""initiator":"https://idserver.servizicie.interno.gov.it/idp/login","request":{"headers":{},"#
    + #""url":"https://idserver.servizicie.interno.gov.it/OpenApp?nextUrl="#
    + "https://idserver.servizicie.interno.gov.it/idp/Authn/X509&name=conversation&value=e1s1"
    + #"&authnRequestString=x&OpText=x&imgUrl=x"}}}"#

  @Test(arguments: [(false, "cancelled"), (true, "browser")])
  func `a closed browser ends the question for the PIN`(
    _ hasFailed: Bool, _ reason: String
  ) async throws {
    let browser = ScriptedBrowser([Self.handOff], hasFailed: hasFailed, isOpen: true)
    let card = AskedForever { browser.end() }
    let session = LoginSession(
      LoginConfiguration(.production), card: LoginCard(card), person: TestPerson())
    let page = try RedirectURL("https://service.example/")
    let error = await #expect(throws: LoginError.self) {
      try await session.logIn(at: page, in: browser)
    }
    #expect(error.map { "\($0.reason)" } == reason)
  }
}

/// A card whose holder is asked for the PIN and never answers.
private final class AskedForever: CardAccess {
  private let isGivenUp = Mutex(false)
  private let whenAsked: @Sendable () -> Void

  init(whenAsked: @escaping @Sendable () -> Void) { self.whenAsked = whenAsked }

  func giveUp() { isGivenUp.withLock { $0 = true } }

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    whenAsked()
    while !isGivenUp.withLock({ $0 }) {}
    throw LoginError(.used)
  }
}
