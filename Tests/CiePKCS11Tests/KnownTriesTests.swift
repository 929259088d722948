import CIECard
import PKCS11Fuzzer
import Testing
import VirtualCIE

@testable import CiePKCS11

/// Cards that do not report their counters: their answer after a wrong code counts in the whole process.
@Suite(.timeLimit(.minutes(20))) struct KnownTriesTests {
  private static let wrong = "00000000"

  private func silent(_ tries: KnownTries = KnownTries()) throws -> Desk {
    Desk(options: try CardOptions(parsing: "no-counters=6982"), tries: tries)
  }

  private func change(_ desk: Desk, _ session: UInt, _ old: String) throws {
    try desk.module.setPIN(
      session, from: Secret([UInt8](old.utf8)), to: Secret([UInt8]("24681357".utf8)))
  }

  @Test func `the third wrong PIN is not sent, nor is the right one`() throws {
    let desk = try silent()
    let session = try desk.open()
    #expect(try desk.triesLeft().pin == nil)
    for left in [2, 1] {
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, Self.wrong) }
      #expect(try desk.triesLeft().pin == left)
    }
    for code in [Self.wrong, desk.persona.pin] {
      #expect(throws: ReturnValue.pinLocked) { try desk.logIn(session, .user, code) }
      #expect(throws: ReturnValue.pinLocked) { try change(desk, session, code) }
    }
    #expect(desk.verifications == 2 && desk.card.triesLeft.pin == 1)
  }

  @Test func `C_SetPIN and C_Login count together, and a right PIN resets the count`() throws {
    let desk = try silent()
    let session = try desk.open()
    #expect(throws: ReturnValue.pinIncorrect) { try change(desk, session, Self.wrong) }
    #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, Self.wrong) }
    #expect(throws: ReturnValue.pinLocked) { try change(desk, session, Self.wrong) }
    #expect(desk.verifications == 2)

    let other = try silent()
    let again = try other.open()
    for _ in 0..<3 {
      #expect(throws: ReturnValue.pinIncorrect) { try other.logIn(again, .user, Self.wrong) }
      try other.logIn(again)
      try other.module.logOut(again)
    }
    #expect(other.card.triesLeft.pin == 3)
  }

  @Test func `neither a removal nor another card resets the count`() throws {
    let desk = try silent()
    for _ in 0..<2 {
      let session = try desk.open()
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, Self.wrong) }
      desk.room.insert(VirtualCard(persona: .nxp), "R")
      let other = try desk.open()
      #expect(try desk.triesLeft().pin == nil)
      try desk.module.logIn(other, .user, Secret([UInt8](Persona.nxp.pin.utf8)))
      desk.room.insert(desk.card, "R")
    }
    let session = try desk.open()
    #expect(try desk.triesLeft().pin == 1)
    #expect(throws: ReturnValue.pinLocked) { try desk.logIn(session, .user, Self.wrong) }
    #expect(desk.card.triesLeft.pin == 1)
  }

  @Test func `the PUK is counted alike, and C_InitPIN restores the PIN's tries`() throws {
    let desk = try silent()
    let session = try desk.open()
    for _ in 0..<2 {
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, Self.wrong) }
    }
    #expect(throws: ReturnValue.pinLocked) { try desk.logIn(session, .user, Self.wrong) }
    try desk.logIn(session, .securityOfficer)
    try desk.module.initPIN(session, to: Secret([UInt8]("24681357".utf8)))
    // It is still the session of the security officer, and its card is still locked.
    #expect(try desk.module.session(session).state == 4 && desk.triesLeft().pin == nil)
    try desk.module.initPIN(session, to: Secret([UInt8](desk.persona.pin.utf8)))
    try desk.module.logOut(session)
    try desk.logIn(session)
    try desk.module.logOut(session)
    for left in (1...9).reversed() {
      #expect(throws: ReturnValue.pinIncorrect) {
        try desk.logIn(session, .securityOfficer, Self.wrong)
      }
      #expect(try desk.triesLeft().puk == left)
    }
    for code in [Self.wrong, desk.persona.puk] {
      #expect(throws: ReturnValue.pinLocked) { try desk.logIn(session, .securityOfficer, code) }
    }
    #expect(desk.card.triesLeft.puk == 1)
  }

  @Test func `the known tries outlive C_Finalize`() throws {
    let tries = KnownTries()
    let desk = try silent(tries)
    for _ in 0..<2 {
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(desk.open(), .user, Self.wrong) }
    }
    desk.module.finish()
    let next = Module(desk.room, Settings(terms: .ofSoftwareCards), tries)
    let session = try next.openSession(0, isReadWrite: true)
    #expect(throws: ReturnValue.pinLocked) {
      try next.logIn(session, .user, Secret([UInt8](desk.persona.pin.utf8)))
    }
    #expect(desk.card.triesLeft.pin == 1)
  }
}
