import Primitives
import TestSupport
import Testing

@testable import VirtualCIE

/// Features of the documents that hosts do not use: optional files and objects, other forms of SELECT.
@Suite struct OptionalObjectTests {
  /// IAS ECC §10.4.1.3: a template 61 with an AID for every application, readable after reset.
  @Test(arguments: Persona.all.map(\.identifier)) func theDirectoryListsEveryApplication(
    _ identifier: String
  ) throws {
    var terminal = TestTerminal(try #require(Persona.named(identifier)))
    guard ["gemalto2", "st", "unknown"].contains(identifier) else {
      #expect(try terminal.plain("00B09E0000").status == 0x6A82)
      #expect(try terminal.plain("00A4020C022F00").status == 0x6A82)
      return
    }
    let file = try terminal.plain("00B09E0000")
    #expect(file.status == 0x6282)
    #expect(
      file.data
        == (try Hex.bytes(
          """
          610F4F0DA0000000308000000009816001 61084F06A00000000039 61094F07A0000002471001
          """)))
    #expect(
      try terminal.plain("00A40204022F00").data
        == Hex.bytes("6217 80020026 820101 83022F00 8801F0 8A0105 A1049C020100"))
  }

  /// "CIE 3.0 – Specifiche Chip", annex A: EF.CIE.Kpub exists if key 81 was made on the chip, and needs the PIN.
  @Test(arguments: ["st", "itj4"]) func publicKeyOfTheHolder(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    var terminal = TestTerminal(persona)
    try terminal.open()
    #expect(try terminal.plain("00A4020C021007").status == 0x9000)
    #expect(try terminal.plain("00B0000001").status == 0x6982)
    try terminal.authenticate()
    #expect(try terminal.secure([0, 0xB0, 0x87, 0], le: 0).status == 0x6982)
    try terminal.verifyPIN(persona.pin)
    let first = try terminal.secure([0, 0xB0, 0x87, 0], le: 0)
    let rest = try terminal.secure([0, 0xB0, 0, 231], le: 0)
    let key = first.data + rest.data
    #expect(first.status == 0x9000 && rest.status == 0x6282 && key.count == 270)
    let parts = BERObject.single(0x30, key).flatMap { BERObject.list($0.value) }
    #expect(parts?.first?.value == [0] + persona.holderKey.modulus)
    // The key of the certificate, which an unrelated authority made.
    #expect(persona.certificate.contains(key))
  }

  @Test(arguments: ["gemalto", "gemalto2", "nxp", "unknown"])
  func noPublicKeyOfTheHolder(_ identifier: String) throws {
    var terminal = TestTerminal(try #require(Persona.named(identifier)))
    try terminal.open()
    #expect(try terminal.plain("00A4020C021007").status == 0x6A82)
    #expect(try terminal.plain("00B0870000").status == 0x6A82)
  }

  /// Annex A; IAS ECC §3.4.6.3: three bytes more, so the second piece has 34h.
  @Test func keyWithItsAlgorithm() throws {
    var terminal = try TestTerminal(.gemalto, options: "key-algorithm")
    try terminal.open()
    let object = try terminal.expect("00CB3FFF0B4D097007BFA004037F4980")
    let key = BERObject.single(0x70, object)
      .flatMap { BERObject.single(0xBFA004, $0.value) }
      .flatMap { BERObject.single(0x7F49, $0.value) }
    let members = try #require(key.flatMap { BERObject.list($0.value) })
    #expect(object.count == 308 && members.map(\.tag) == [0x80, 0x81, 0x82, 0x5F20, 0x5F4C])
    #expect(members.first?.value == [0x41])
  }

  /// Annex A: environment 1 is readable without conditions, the others never; IAS ECC §9.8.1.1 has the words.
  @Test func onlyTheStandardEnvironmentIsReadable() throws {
    var terminal = TestTerminal(.gemalto)
    let standard = "00CB3FFF0A4D087006BFFB01027B80"
    #expect(try terminal.plain(standard).status == 0x6A88)
    try terminal.open()
    #expect(
      try terminal.plain(standard) == (Hex.bytes("700E BFFB010A 7B08 A406 800102 840181"), 0x9000))
    for number in 2...4 {
      #expect(try terminal.plain("00CB3FFF0A4D087006BFFB0\(number)027B80").status == 0x6982)
    }
    #expect(try terminal.plain("00CB3FFF0A4D087006BFFB05027B80").status == 0x6A88)
    try terminal.authenticate()
    #expect(
      try terminal.secure([0, 0xCB, 0x3F, 0xFF], Hex.bytes("4D087006BFFB02027B80")).status == 0x6982
    )
  }

  /// IAS ECC §9.7.1: P1 01 a child DF by identifier, which does not exist; P1 09 a path from the current DF.
  @Test func otherWaysOfSelecting() throws {
    var terminal = TestTerminal(.gemalto)
    #expect(try terminal.plain("00A4010C02DF01").status == 0x6A82)
    #expect(try terminal.plain("00A4010C01DF").status == 0x6A87)
    #expect(
      try terminal.plain("00A4090402D003").data
        == Hex.bytes("6216 8002000C 820101 8302D003 8800 8A0105 A1049C020100"))
    #expect(try terminal.plain("00B0000000").data.starts(with: [0x5A, 0x0A]))
    try terminal.open()
    #expect(try terminal.plain("00A4090C021001").status == 0x9000)
    #expect(try terminal.plain("00B0000000").data == [UInt8](Persona.gemalto.nis.utf8))
    // A failure changes nothing (§9.7.1).
    for (path, status) in [
      ("02D003", 0x6A82), ("043F001001", 0x6A82), ("03100110", 0x6A87), ("", 0x6A87),
    ] as [(String, UInt16)] {
      #expect(try terminal.plain("00A4090C\(path)").status == status)
      #expect(try terminal.plain("00B0000000").data == [UInt8](Persona.gemalto.nis.utf8))
    }
    #expect(try terminal.plain("00A4080C021001").status == 0x6A86)
    #expect(try terminal.plain("00A4020C0110").status == 0x6A87)
  }
}
