import TestSupport
import Testing

@testable import VirtualCIE

/// The rights to read, and the answers of READ BINARY.
@Suite struct AccessRuleTests {
  @Test func theRootIsSelectedAfterReset() throws {
    var terminal = TestTerminal(.gemalto)
    #expect(try terminal.plain("00B0000000").status == 0x6986)
    #expect(try terminal.plain("00B09C0000").status == 0x6282)
    #expect(try terminal.plain("00A4020C02D003").status == 0x9000)
    #expect(try terminal.plain("00A4020C021001").status == 0x6A82)
    try terminal.open()
    try terminal.expect("00B081000C")
    terminal.card.reset()
    #expect(try terminal.plain("00B0000000").status == 0x6986)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func freeFilesAreReadPlain(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    var terminal = TestTerminal(persona)
    try terminal.expect("00A4000C023F00")
    for file in ["2F01", "011C", "D003", "D004"] {
      #expect(try terminal.plain("00A4020402\(file)").status == 0x9000)
      #expect(try terminal.plain("00B0000001").status == 0x9000)
    }
    #expect(try terminal.plain("00A4020C021001").status == 0x6A82)
    try terminal.open()
    #expect(try terminal.plain("00B081000C").data == [UInt8](persona.nis.utf8))
    for file in ["1001", "1004", "1005", "1006"] {
      #expect(try terminal.plain("00A4020C02\(file)").status == 0x9000)
      #expect(try terminal.plain("00B0000001").status == 0x9000)
    }
    #expect(try terminal.plain("00A4020C02D003").status == 0x6A82)
  }

  @Test func holderFilesNeedThePINUnderSecureMessaging() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    for file in ["1002", "1003"] {
      #expect(try terminal.plain("00A4020C02\(file)").status == 0x9000)
      #expect(try terminal.plain("00B0000001").status == 0x6982)
    }
    try terminal.authenticate()
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6982)
    #expect(try terminal.secure([0, 0xB1, 0, 3], [0x54, 1, 0], le: 9).status == 0x6982)
    try terminal.verifyPIN(Persona.gemalto.pin)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x9000)
    #expect(try terminal.secure([0, 0xB1, 0, 3], [0x54, 1, 0], le: 9).status == 0x9000)
    // A plain command ends the channel, and with it the holder's verification.
    #expect(try terminal.plain("00B0820009").status == 0x6982)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6985)
  }

  @Test func readingEndsWithTheFile() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    #expect(try terminal.plain("00B081000C").status == 0x9000)
    #expect(try terminal.plain("00B0810080").status == 0x6282)
    #expect(try terminal.plain("00B0810080").data.count == 12)
    #expect(try terminal.plain("00B0000A00").data.count == 2)
    #expect(try terminal.plain("00B0000C01").status == 0x6B00)
    #expect(try terminal.plain("00B07FFF01").status == 0x6B00)
    #expect(try terminal.plain("00B0850000").data.count == 231)
    #expect(try terminal.plain("00B08500FF").status == 0x9000)
    #expect(try terminal.plain("00B000E700").status == 0x6282)
    #expect(
      try terminal.plain("00B1000504540200E700").data == [0x53, 39]
        + Persona.gemalto
        .servicesKey.publicKeyDER.suffix(39))
  }

  @Test func blockOf231UnderSecureMessaging() throws {
    var terminal = TestTerminal(.st)
    try terminal.open()
    try terminal.agree()
    let block = try terminal.secure([0, 0xB0, 0x86, 0], le: 0)
    #expect(block.status == 0x9000 && block.data.count == 0xE7)
    #expect(try #require(terminal.wire.last).count == 252)
    let odd = try terminal.secure([0, 0xB1, 0, 0], [0x54, 2, 0, 0], le: 0)
    #expect(odd.data.prefix(3) == [0x53, 0x81, 0xE4] && odd.data.count == 0xE7)
  }

  @Test func theOddInstructionReadsByOffsetObject() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    let page = try terminal.plain("00B100060454020000E7")
    #expect(page.status == 0x9000)
    #expect(page.data == [0x53, 0x81, 0xE4] + Persona.gemalto.securityObject.prefix(228))
    #expect(try terminal.plain("00B10001035401000E").data.count == 14)
    let last = try terminal.plain("00B100010354010500")
    #expect(last.status == 0x6282 && last.data == [0x53, 7] + Persona.gemalto.nis.utf8.suffix(7))
    #expect(try terminal.plain("00B100010354010C00").status == 0x6B00)
    #expect(try terminal.plain("00B1000102540000").status == 0x6A80)
    #expect(try terminal.plain("00B101010354010000").status == 0x6A86)
  }

  @Test func travelDocumentFilesStayClosed() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.expect("00A4040C07A0000002471001")
    #expect(try terminal.plain("00A4020C020101").status == 0x6982)
    #expect(try terminal.plain("00B0810000").status == 0x6982)
  }

  @Test func everyFormOfSelectIsAnswered() throws {
    var terminal = TestTerminal(.unknown)
    #expect(try terminal.plain("00A40000") == ([], 0x9000))
    #expect(try terminal.plain("00A4000C") == ([], 0x9000))
    #expect(try terminal.plain("00A40000023F00").data.first == 0x62)
    #expect(
      try terminal.plain("00A4040406A00000000039").data
        == Hex.bytes("6210 820138 8406A00000000039 A1039C0100"))
    let file = try terminal.plain("00A40204021003")
    #expect(
      file.data == (try Hex.bytes("6217 800207C0 820101 83021003 880118 8A0105 A1049C0201D2")))
    #expect(try terminal.plain("00A4040C03A00000").status == 0x6A82)
    #expect(try terminal.plain("00A4020D021003").status == 0x6A86)
    // One chip knows its root only as the master file.
    for persona in Persona.all {
      var other = TestTerminal(persona)
      let status = try other.plain("00A4040C0DA0000000308000000009816001").status
      #expect(status == (persona.identifier == "itj4" ? 0x6A82 : 0x9000))
    }
  }
}
