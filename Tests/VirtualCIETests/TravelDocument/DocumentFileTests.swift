import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The files of the travel document: the rights to read them, and the commands.
@Suite struct DocumentFileTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func allFilesOfAPersona(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let document = persona.travelDocument
    var terminal = TestTerminal(persona)
    try terminal.expect("00A4000C")
    try terminal.expect("00A4020C02011C")
    let length = UInt8(document.cardAccess.count)
    #expect(try terminal.send([0, 0xB0, 0, 0, length]) == (document.cardAccess, 0x9000))
    try terminal.openDocument()
    #expect(try terminal.readFile(0x011E) == document.common)
    #expect(try terminal.readFile(0x011D) == document.securityObject)
    for number in UInt8(1)...16 where number != 3 {
      let file = 0x0100 | UInt16(number)
      if let group = document.dataGroups[number] {
        #expect(try terminal.readFile(file) == [UInt8](group.prefix(0x8000)), "\(number)")
      } else {
        #expect(throws: TestTerminal.Refused(status: 0x6A82)) { try terminal.readFile(file) }
      }
    }
    // Fingerprints are never readable.
    #expect(throws: TestTerminal.Refused(status: 0x6982)) { try terminal.readFile(0x0103) }
    #expect(try terminal.secure([0, 0xB0, 0x83, 0], le: 4).status == 0x6982)
    #expect(try terminal.secure([0, 0xB1, 0, 3], [0x54, 1, 0], le: 4).status == 0x6982)
  }

  @Test func cardSecurityAfterPACE() throws {
    let document = Persona.unknown.travelDocument
    var terminal = TestTerminal(.unknown)
    try terminal.expect("00A40000")
    #expect(try terminal.plain("00A4020C02011D").status == 0x9000)
    #expect(try terminal.plain("00B0000004").status == 0x6982)
    try terminal.pace(try #require(PACEProfile.announced(in: document.cardAccess).first))
    #expect(try terminal.readFile(0x011D) == document.cardSecurity)
  }

  @Test func filesBeyond32KilobytesAreReadWhole() throws {
    let group = BERObject.encode(0x75, (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    for options in ["pace=gm-3des-2", "pace=gm-aes256-13"] {
      var terminal = try TestTerminal(.gemalto2, options: options) { $0.dataGroups[2] = group }
      let profile = try #require(PACEProfile(parsing: String(options.dropFirst(5))))
      try terminal.pace(profile)
      try terminal.selectDocument()
      let block = profile.suite == .tripleDES ? 231 : 223
      #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 0).data == [UInt8](group.prefix(block)))
      #expect(try terminal.secure([0, 0xB0, 0x7F, 0xFF], le: 1).data == [group[0x7FFF]])
      let odd = try terminal.secure([0, 0xB1, 0, 0], [0x54, 2, 0x80, 0], le: 0)
      #expect(odd.status == 0x9000)
      #expect(odd.data == [0x53, 0x81, UInt8(block - 3)] + group[0x8000..<(0x8000 + block - 3)])
      let last = try terminal.secure([0, 0xB1, 0, 2], [0x54, 3, 0, 0x9C, 0x40], le: 0)
      #expect(last.status == 0x6282 && last.data == [0x53, 4] + group.suffix(4))
      for offset in [[0x9C, 0x44], [0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
        let beyond = BERObject.encode(0x54, offset)
        #expect(try terminal.secure([0, 0xB1, 0, 0], beyond, le: 0).status == 0x6B00)
      }
      // Extended length: one answer holds most of it.
      let long = try terminal.secure([0, 0xB0, 0, 0], le: 0, extended: true)
      #expect(long.data.count == (profile.suite == .tripleDES ? 1991 : 1983))
      #expect(try #require(terminal.wire.last).count <= 0x7E3)
      // As short as possible for the same bytes.
      #expect(try #require(terminal.wire.last).count > 0x7E3 - 16)
    }
  }

  @Test func aPlainCommandEndsTheChannelAndTheRights() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.openDocument()
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).status == 0x9000)
    #expect(try terminal.plain("00B0000004").status == 0x6982)
    #expect(try terminal.plain("00B0810004").status == 0x6982)
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).status == 0x6985)
  }

  @Test func identityFilesStayClosedAfterPACE() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.openDocument()
    #expect(try terminal.secure([0, 0xA4, 4, 0x0C], Application.identityAID).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6982)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x6982)
    #expect(try terminal.secure([0, 0x2C, 3, 0x81]).status == 0x6982)
    #expect(terminal.card.log.counters.verifications == 0)
  }

  @Test func bothSidesInOneContact() throws {
    let persona = Persona.gemalto
    var terminal = TestTerminal(persona)
    try terminal.openDocument()
    #expect(try terminal.readFile(0x0101) == persona.travelDocument.dataGroups[1])
    try terminal.expect("00A40000")
    terminal.suite = .tripleDES
    try terminal.open()
    try terminal.authenticate()
    #expect(try terminal.verifyPIN(persona.pin) == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x9000)
    // Device authentication opens no travel document.
    try terminal.selectDocument()
    #expect(try terminal.secure([0, 0xA4, 2, 0x0C], [1, 1]).status == 0x6982)
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).status == 0x6982)
    #expect(try terminal.secure([0, 0xB1, 0, 1], [0x54, 1, 0], le: 9).status == 0x6982)
    #expect(try terminal.secure([0, 0x88, 0, 0], [UInt8](1...8), le: 0).status == 0x6982)
    #expect(try terminal.secure([0, 0x22, 0x41, 0xA6], [0x91, 1, 1]).status == 0x6982)
    // And back again.
    try terminal.expect("00A40000")
    try terminal.openDocument()
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).status == 0x9000)
  }
}
