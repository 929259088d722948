import Glibc
import PKCS11Fuzzer
import Testing
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// Another person's card without a difference at the service, and cards that leave while a thread waits for them.
@Suite(.timeLimit(.minutes(20))) struct ExchangeTests {
  /// Every pause is long enough for a reader to be pulled.
  private func desk() -> Desk {
    var terms = CardTerms.ofSoftwareCards
    terms.longestGap = .zero
    return Desk(terms: terms)
  }

  @Test func `during a login no object of the first card is shown`() throws {
    let desk = desk()
    let session = try desk.open()
    try desk.logIn(session)
    let openings = desk.room.openings
    #expect(try desk.find(session) == [1, 2, 3] && desk.room.openings == openings)
    desk.room.exchange(VirtualCard(persona: .nxp), "R")
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.find(session) }
    #expect(try desk.module.token(0).1.description == Persona.nxp.nis)
    #expect(try desk.find(desk.open()) == [])
  }

  @Test func `a token is the present card`() throws {
    let desk = desk()
    let session = try desk.open()
    desk.room.exchange(VirtualCard(persona: .nxp), "R")
    #expect(try desk.module.token(0).1.description == Persona.nxp.nis)
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.module.session(session) }
  }

  @Test func `objects left by a login are not shown with another card`() throws {
    let desk = desk()
    let session = try desk.open()
    try desk.logIn(session)
    try desk.module.logOut(session)
    #expect(try desk.find(session) == [1, 2])
    desk.room.exchange(VirtualCard(persona: .nxp), "R")
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.find(session) }
    #expect(try desk.find(desk.open()) == [])
  }

  @Test(arguments: [User.user, .securityOfficer])
  func `a code typed for one card is not sent to another`(_ user: User) throws {
    // The card is not checked again before the code is typed.
    let desk = Desk()
    let session = try desk.open()
    let other = VirtualCard(persona: .nxp)
    desk.room.exchange(other, "R")
    #expect(throws: ReturnValue.deviceRemoved) { try desk.logIn(session, user) }
    #expect(other.log.counters.verifications == 0 && desk.verifications == 0)
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.module.session(session) }
  }

  @Test func `C_SetPIN does not change the PIN of another card`() throws {
    let desk = Desk()
    let session = try desk.open()
    let other = VirtualCard(persona: .nxp)
    desk.room.exchange(other, "R")
    #expect(throws: ReturnValue.deviceRemoved) {
      try desk.module.setPIN(
        session, from: Secret([UInt8](Persona.nxp.pin.utf8)),
        to: Secret([UInt8]("24681357".utf8)))
    }
    #expect(other.log.counters.verifications == 0)
  }

  @Test func `a session that is closed while C_SetPIN waits for the card changes no PIN`() throws {
    let desk = Desk()
    // The other session keeps the token open: the last one to be closed waits for the card itself.
    let (session, _) = (try desk.open(), try desk.open())
    let keeper = try desk.module.keeper(0)
    let (begun, closed, ended) = (Signal(), Signal(), Signal())
    DetachedThread.start {
      _ = try? keeper.withCard { _ in
        begun.signal()
        closed.wait(atMost: .seconds(60))
      }
    }
    #expect(begun.wait(atMost: .seconds(30)))
    let outcome = Lock<ReturnValue?>(nil)
    DetachedThread.start {
      do throws(ReturnValue) {
        try desk.module.setPIN(
          session, from: Secret([UInt8](desk.persona.pin.utf8)),
          to: Secret([UInt8]("24681357".utf8)))
      } catch { outcome.withLock { $0 = error } }
      ended.signal()
    }
    // Time for it to come to the lock; where that is too little, the call is refused before it waits.
    usleep(200_000)
    try desk.module.closeSession(session)
    closed.signal()
    #expect(ended.wait(atMost: .seconds(30)))
    #expect(outcome.withLock { $0 } == .sessionHandleInvalid && desk.verifications == 0)
  }

  @Test func `a different answer to reset is another card`() throws {
    var slots = SlotTable()
    func reader(_ answer: [UInt8]?) -> [PCSCContext.Reader] {
      [PCSCContext.Reader(name: "R", answerToReset: answer, isAvailable: true, eventCount: 1)]
    }
    func update(_ answer: [UInt8]?) -> Int {
      slots.update(reader(answer), [], longestGap: .seconds(9)).count
    }
    #expect(update([0x3B, 1]) == 0 && update([0x3B, 1]) == 0 && update([]) == 0)
    #expect(update([0x3B, 1]) == 0 && update([0x3B, 2]) == 1 && update(nil) == 1)
  }

  @Test func `a removed card ends no other login`() throws {
    let desk = desk()
    let session = try desk.open()
    let first = try desk.module.slot(0).insertion
    desk.room.insert(VirtualCard(persona: .nxp), "R")
    let other = try desk.open()
    try desk.module.logIn(other, .user, Secret([UInt8](Persona.nxp.pin.utf8)))
    // The thread that has seen the first one leave continues only now.
    try desk.module.keeper(0).release(of: try #require(first))
    try desk.module.beginSignature(other, mechanism: 1, key: 3)
    try desk.module.signature(other).add([1])
    #expect(try desk.module.sign(other).count == 256)
    #expect(throws: ReturnValue.deviceRemoved) { _ = try desk.module.session(session) }
  }

  @Test func `after a failed C_InitPIN no user is logged in`() throws {
    let desk = Desk(faults: try FaultPlan(parsing: "status=6F00@2C:1"))
    let session = try desk.open()
    try desk.logIn(session, .securityOfficer)
    #expect(throws: ReturnValue.deviceError) {
      try desk.module.initPIN(session, to: Secret([UInt8]("24681357".utf8)))
    }
    #expect(try desk.module.session(session).state == 2)
    let held = try desk.module.keeper(0).heldCard()
    guard case .none = held else {
      Issue.record("\(held)")
      return
    }
    try desk.logIn(session)
  }

  @Test func `every waiting thread is woken`() {
    let cancellation = Cancellation()
    let woken = (0..<3).map { _ in Signal() }
    let ends = (0..<3).map { _ in Signal() }
    let begun = (0..<3).map { _ in Signal() }
    for index in 0..<3 {
      DetachedThread.start {
        cancellation.ending({ woken[index].signal() }) {
          begun[index].signal()
          woken[index].wait(atMost: .seconds(60))
        }
        ends[index].signal()
      }
    }
    for signal in begun { #expect(signal.wait(atMost: .seconds(30))) }
    cancellation.cancel()
    for signal in woken + ends { #expect(signal.wait(atMost: .seconds(30))) }
    // A later call does not wait either.
    let late = Signal()
    cancellation.ending({ late.signal() }) {}
    #expect(late.wait(atMost: .zero))
  }
}
