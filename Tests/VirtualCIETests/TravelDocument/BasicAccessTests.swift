import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// Basic access control from the card's end.
@Suite struct BasicAccessTests {
  struct Vector: Decodable, Sendable {
    let mrzInformation: String
    let rndIc: HexBytes
    let kIc: HexBytes
    let cmd: HexBytes
    let rsp: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
  }

  /// A card that has given its challenge: that of the case, or another one.
  private func terminal(_ vector: Vector, challenge: [UInt8]? = nil) throws -> TestTerminal {
    let challenge = challenge ?? vector.rndIc.bytes
    var document = Persona.gemalto.travelDocument
    document.mrzInformation = vector.mrzInformation
    var terminal = TestTerminal(
      VirtualCard(
        persona: .gemalto, travelDocument: document,
        random: RecordedRandom(challenge, vector.kIc.bytes)))
    try terminal.expect("00A4040C07A0000002471001")
    #expect(try terminal.plain("0084000008").data == challenge)
    return terminal
  }

  @Test(arguments: try Vectors.cases("bac", of: Vector.self))
  func published(_ vector: Vector) throws {
    var terminal = try terminal(vector)
    #expect(try terminal.raw(vector.cmd.bytes) == vector.rsp.bytes)
    terminal.keys = (vector.ksEnc.bytes, vector.ksMac.bytes)
    terminal.counter = vector.ssc.bytes.reduce(0) { $0 << 8 | UInt64($1) }
    #expect(try terminal.secure([0, 0xB0, 0x9E, 0], le: 4).status == 0x9000)
  }

  @Test(arguments: try Vectors.cases("bac", of: Vector.self))
  func everyChangedByteIsRefused(_ vector: Vector) throws {
    for index in 5..<45 {
      var terminal = try terminal(vector)
      var bad = vector.cmd.bytes
      bad[index] ^= 0x10
      #expect(try terminal.raw(bad) == [0x63, 0x00])
      // The challenge is used up.
      #expect(try terminal.raw(vector.cmd.bytes) == [0x69, 0x85])
    }
  }

  @Test(arguments: try Vectors.cases("bac", of: Vector.self))
  func anOldAnswerIsRefused(_ vector: Vector) throws {
    var terminal = try terminal(vector, challenge: [UInt8](1...8))
    #expect(try terminal.raw(vector.cmd.bytes) == [0x63, 0x00])
  }

  @Test func opensTheGroupsButNotCardSecurity() throws {
    let document = Persona.gemalto.travelDocument
    var terminal = try TestTerminal(.gemalto, options: "no-card-access") {
      $0.cardSecurity = [0x30, 0]
    }
    try terminal.basicAccess(mrzInformation: document.mrzInformation)
    #expect(try terminal.readFile(0x0101) == document.dataGroups[1])
    #expect(try terminal.readFile(0x011D) == document.securityObject)
    #expect(try terminal.secure([0, 0xA4, 0, 0x0C]).status == 0x9000)
    #expect(try terminal.secure([0, 0xA4, 2, 0x0C], [0x01, 0x1D]).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0, 0], le: 2).status == 0x6982)
  }

  @Test func wrongKeysAndWrongCommandsAreRefused() throws {
    var wrong = TestTerminal(.gemalto)
    #expect(throws: TestTerminal.Refused(status: 0x6300)) {
      try wrong.basicAccess(mrzInformation: "C<ITA")
    }
    var refusing = try TestTerminal(.gemalto, options: "no-bac")
    try refusing.expect("00A4040C07A0000002471001")
    #expect(try refusing.plain("0084000008").status == 0x6A81)
    let zeros = "008200002800000000000000000000000000000000" + String(repeating: "00", count: 24)
    #expect(try refusing.plain(zeros + "28").status == 0x6985)
    var early = TestTerminal(.gemalto)
    try early.expect("00A4040C07A0000002471001")
    #expect(try early.plain(zeros + "28").status == 0x6985)
    try early.expect("0084000008")
    #expect(try early.plain("008200000100").status == 0x6700)
  }
}
