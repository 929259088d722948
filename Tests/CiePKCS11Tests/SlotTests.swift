import CIECard
import PKCS11Fuzzer
import Testing
import VirtualCIE

@testable import CiePKCS11

/// Slots and the readers behind them, cards that come and go.
@Suite(.timeLimit(.minutes(20))) struct SlotTests {
  @Test func `there are four slots, with readers or without`() throws {
    let room = Room()
    let module = Module(room, Settings())
    #expect(try module.slots(withToken: false) == [0, 1, 2, 3])
    #expect(try module.slots(withToken: true) == [])
    #expect(throws: ReturnValue.tokenNotPresent) { _ = try module.token(0) }
    #expect(throws: ReturnValue.slotIDInvalid) { _ = try module.slot(4) }
    for name in ["A", "B", "C", "D", "E"] { room.plugIn(name) }
    #expect(try (0..<4).map { try module.slot($0).name } == ["A", "B", "C", "D"])
    // A reader that comes back is the same slot; a new one gets the slot of one that is gone.
    room.unplug("B")
    #expect(try module.slot(1).name == "E")
    room.unplug("C")
    _ = try module.slots(withToken: false)
    room.plugIn("C")
    #expect(try module.slot(2).name == "C")
  }

  @Test func `a card is examined once for each insertion`() throws {
    let desk = Desk()
    for _ in 0..<3 { #expect(try desk.module.token(0).1.description == desk.persona.nis) }
    #expect(desk.room.openings == 1)
    #expect(desk.card.log.entries.count <= 4)
    #expect(desk.verifications == 0)
    desk.room.insert(VirtualCard(persona: .nxp), "R")
    #expect(try desk.module.token(0).1.description == Persona.nxp.nis)
  }

  @Test func `listing slots uses no card`() throws {
    let desk = Desk()
    #expect(try desk.module.slots(withToken: true) == [0])
    _ = try desk.module.slot(0)
    #expect(desk.room.openings == 0)
  }

  @Test func `an unknown card is not recognized, and that is remembered`() throws {
    let desk = Desk()
    desk.room.refuse(.cardMute)
    for _ in 0..<2 {
      #expect(throws: ReturnValue.tokenNotRecognized) { _ = try desk.module.token(0) }
    }
    #expect(desk.room.openings == 1)
  }

  @Test func `a card that another program holds is examined again`() throws {
    let desk = Desk()
    desk.room.refuse(.sharingViolation)
    #expect(throws: ReturnValue.deviceError) { _ = try desk.module.token(0) }
    desk.room.refuse(nil)
    #expect(try desk.module.token(0).1.description == desk.persona.nis)
  }

  @Test(arguments: [false, true])
  func `a removed card closes its sessions`(_ isExchanged: Bool) throws {
    let desk = Desk()
    let session = try desk.open()
    try desk.logIn(session)
    desk.room.remove("R")
    if isExchanged { desk.room.insert(desk.card, "R") }
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.module.session(session) }
    #expect(throws: ReturnValue.sessionHandleInvalid) { _ = try desk.module.session(session) }
    #expect(try desk.module.slots(withToken: true) == (isExchanged ? [0] : []))
    guard isExchanged else { return }
    // The objects of the earlier stay are forgotten with it.
    #expect(try desk.find(desk.open()) == [])
  }

  @Test func `events are reported once, and wake the waiting thread`() async throws {
    let desk = Desk()
    #expect(try desk.module.waitForSlotEvent(isBlocking: false) == 0)
    #expect(throws: ReturnValue.noEvent) { try desk.module.waitForSlotEvent(isBlocking: false) }
    async let slot = Task.detached { try desk.module.waitForSlotEvent(isBlocking: true) }.value
    desk.room.remove("R")
    #expect(try await slot == 0)
    async let ended = Task.detached {
      ReturnValue.of { () throws(ReturnValue) in
        _ = try desk.module.waitForSlotEvent(isBlocking: true)
      }
    }.value
    desk.module.finish()
    #expect(await ended == .cryptokiNotInitialized)
  }
}
