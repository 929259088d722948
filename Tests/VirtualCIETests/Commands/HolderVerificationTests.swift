import TestSupport
import Testing

@testable import VirtualCIE

/// PIN and PUK: counters, blocking, and the places where they may be used.
@Suite struct HolderVerificationTests {
  private func opened(_ persona: Persona = .gemalto) throws -> TestTerminal {
    var terminal = TestTerminal(persona)
    try terminal.open()
    try terminal.authenticate()
    return terminal
  }

  @Test func threeWrongPINsBlock() throws {
    var terminal = try opened()
    #expect(try terminal.verifyPIN("00000000") == 0x63C2)
    #expect(try terminal.verifyPIN("00000000") == 0x63C1)
    #expect(terminal.card.triesLeft.pin == 1)
    #expect(try terminal.verifyPIN("00000000") == 0x63C0)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x6983)
    #expect(terminal.card.log.counters.verifications == 3)
    terminal.card.reset()
    try terminal.open()
    try terminal.authenticate()
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x6983, "a reset does not unblock")
  }

  @Test func theMemoryIsThatOfOneCard() throws {
    let memory = CardMemory()
    var terminal = TestTerminal(VirtualCard(persona: .gemalto, memory: memory))
    try terminal.open()
    try terminal.authenticate()
    try terminal.verifyPIN("00000000")
    #expect(VirtualCard(persona: .gemalto, memory: memory).triesLeft == (2, 10))
    #expect(VirtualCard(persona: .gemalto).triesLeft == (3, 10))
  }

  @Test func theRightPINGivesTheTriesBack() throws {
    var terminal = try opened()
    try terminal.verifyPIN("00000000")
    try terminal.verifyPIN("00000000")
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x9000)
    #expect(terminal.card.triesLeft.pin == 3)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x9000)
    try terminal.verifyPIN("00000000")
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6982, "wrong PIN logs out")
  }

  @Test func tenWrongPUKsBlock() throws {
    var terminal = try opened()
    for left in (0..<10).reversed() {
      #expect(try terminal.verifyPIN("00000000", reference: 0x82) == 0x63C0 + UInt16(left))
    }
    #expect(try terminal.verifyPIN(Persona.gemalto.puk, reference: 0x82) == 0x6983)
  }

  @Test func lengthsAndReferences() throws {
    var terminal = try opened()
    #expect(try terminal.verifyPIN("") == 0x6700)
    #expect(try terminal.verifyPIN("2718281") == 0x6700)
    #expect(try terminal.verifyPIN("271828182") == 0x6700)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin, reference: 0x83) == 0x6A88)
    #expect(try terminal.secure([0, 0x20, 1, 0x81], [1]).status == 0x6A86)
    #expect(terminal.card.triesLeft.pin == 3 && terminal.card.log.counters.verifications == 0)
  }

  @Test func onlyUnderSecureMessagingAfterDeviceAuthentication() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    #expect(try terminal.plain("0020008108" + "3237313832383138").status == 0x6982)
    #expect(try terminal.plain("0024008110" + "32373138323831383237313832383138").status == 0x6982)
    #expect(try terminal.plain("002C0381").status == 0x6982)
    #expect(try terminal.plain("00200081").status == 0x6700, "the length is looked at first")
    try terminal.agree()
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x6982)
    #expect(terminal.card.log.counters.verifications == 0)
  }

  @Test func changingThePINNeedsTheOldOne() throws {
    var terminal = try opened()
    let old = [UInt8](Persona.gemalto.pin.utf8)
    let new = [UInt8]("86420975".utf8)
    #expect(try terminal.secure([0, 0x24, 0, 0x81], old + new).status == 0x6982, "no PIN yet")
    try terminal.verifyPIN(Persona.gemalto.pin)
    #expect(try terminal.secure([0, 0x24, 0, 0x81], new + new).status == 0x63C2)
    #expect(
      try terminal.secure([0, 0x24, 0, 0x81], old + [UInt8]("8642097A".utf8)).status == 0x6A80)
    #expect(try terminal.secure([0, 0x24, 0, 0x81], old).status == 0x6700)
    #expect(try terminal.secure([0, 0x24, 0, 0x82], old + new).status == 0x6982)
    #expect(try terminal.secure([0, 0x24, 0, 0x81], old + new).status == 0x9000)
    #expect(terminal.card.triesLeft.pin == 3)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6982, "verify again")
    #expect(try terminal.secure([0, 0x24, 0, 0x81], new + old).status == 0x6982, "verify again")
    #expect(try terminal.verifyPIN("86420975") == 0x9000)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x63C2)
  }

  @Test(arguments: [false, true]) func theLastWrongTry(_ isSwapped: Bool) throws {
    let option = isSwapped ? "last-try-swapped" : "nonce=16"
    let wrong = [UInt8]("00000000".utf8)
    var terminal = try TestTerminal(.gemalto, options: option)
    try terminal.open()
    try terminal.authenticate()
    for word in [0x63C2, 0x63C1, isSwapped ? 0x6983 : 0x63C0] as [UInt16] {
      #expect(try terminal.verifyPIN("00000000") == word)
    }
    var other = try TestTerminal(.gemalto, options: option)
    try other.open()
    try other.authenticate()
    try other.verifyPIN(Persona.gemalto.pin)
    for word in [0x63C2, 0x63C1, isSwapped ? 0x63C0 : 0x6983] as [UInt16] {
      #expect(try other.secure([0, 0x24, 0, 0x81], wrong + wrong).status == word)
    }
    #expect(try other.secure([0, 0x24, 0, 0x81], wrong + wrong).status == 0x6982)
  }

  @Test func unblockWithNewPIN() throws {
    var terminal = try opened()
    for _ in 0..<3 { try terminal.verifyPIN("00000000") }
    let new = [UInt8]("11223344".utf8)
    #expect(try terminal.secure([0, 0x2C, 2, 0x81], new).status == 0x6982)
    #expect(try terminal.verifyPIN(Persona.gemalto.puk, reference: 0x82) == 0x9000)
    #expect(try terminal.secure([0, 0x2C, 2, 0x81], [UInt8](new.prefix(7))).status == 0x6700)
    #expect(try terminal.secure([0, 0x2C, 0, 0x81], new).status == 0x6A86)
    #expect(try terminal.secure([0, 0x2C, 2, 0x82], new).status == 0x6982)
    #expect(try terminal.secure([0, 0x2C, 2, 0x81], new).status == 0x9000)
    #expect(terminal.card.triesLeft.pin == 3)
    #expect(try terminal.verifyPIN("11223344") == 0x9000)
  }

  @Test(arguments: [nil, 0]) func unblockKeepingThePIN(_ le: Int?) throws {
    var terminal = try opened()
    for _ in 0..<3 { try terminal.verifyPIN("00000000") }
    try terminal.verifyPIN(Persona.gemalto.puk, reference: 0x82)
    #expect(try terminal.secure([0, 0x2C, 3, 0x81], le: le).status == 0x9000)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x9000)
  }

  @Test func countersInThePINObject() throws {
    var terminal = try opened()
    try terminal.verifyPIN("00000000")
    let request = try Hex.bytes("4D087006BF810102A080")
    let (object, status) = try terminal.secure([0, 0xCB, 0x3F, 0xFF], request)
    #expect(status == 0x9000)
    #expect(
      object
        == (try Hex.bytes("701EBF81011AA0188403 50494E 9A0103 9B0102 80020008 A1079C05F1D2E4D3E4")))
    let puk = try terminal.secure([0, 0xCB, 0x3F, 0xFF], Hex.bytes("4D087006BF810202A080"))
    #expect(
      puk.data
        == (try Hex.bytes("701CBF810218A0168403 50554B 9A010A 9B010A 80020008 A1059C03A1E4E4")))
  }

  /// Rule X: under secure messaging, and only once both devices are proven.
  @Test(arguments: Persona.all.map(\.identifier))
  func countersOnlyInTheProvenChannel(_ name: String) throws {
    var terminal = TestTerminal(try #require(Persona.named(name)))
    let request = try Hex.bytes("4D087006BF810102A080")
    try terminal.open()
    try terminal.agree()
    #expect(try terminal.secure([0, 0xCB, 0x3F, 0xFF], request).status == 0x6982)
    #expect(try terminal.plain("00CB3FFF0A4D087006BF810102A080").status == 0x6982)
    try terminal.authenticate()
    #expect(try terminal.secure([0, 0xCB, 0x3F, 0xFF], request).status == 0x9000)
  }

  @Test func countersThatNeverTell() throws {
    var terminal = try TestTerminal(.gemalto, options: "no-counters=6A81")
    try terminal.open()
    try terminal.authenticate()
    let request = try Hex.bytes("4D087006BF810102A080")
    #expect(try terminal.secure([0, 0xCB, 0x3F, 0xFF], request).status == 0x6A81)
  }
}
