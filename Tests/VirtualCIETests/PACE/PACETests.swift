import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// PACE in all variants, and the card's refusals in it.
@Suite struct PACETests {
  /// Every combination of the standard on these domain parameters.
  static let profiles: [PACEProfile] = [0, 2, 8, 10, 12, 13, 18].flatMap { number in
    PACEProfile.Mapping.allCases.flatMap { mapping in
      CipherSuite.allCases.compactMap {
        PACEProfile(mapping: mapping, suite: $0, parameterIdentifier: number)
      }
    }
  }

  @Test(arguments: profiles) func everyProfileOpensTheDocument(_ profile: PACEProfile) throws {
    let key = try #require(AgreementGroup(parameterIdentifier: profile.parameterIdentifier))
    let scalar = [UInt8](repeating: 0x35, count: key.order.count - 1)
    var options = CardOptions()
    options.paceProfiles = [profile]
    var document = Persona.st.travelDocument
    document.chipAuthenticationKeys = [
      .init(parameterIdentifier: profile.parameterIdentifier, scalar: scalar)
    ]
    var terminal = TestTerminal(
      VirtualCard(
        persona: .st, travelDocument: document, random: SeededRandom(seed: "card"),
        options: options))
    let record = try terminal.pace(profile)
    try terminal.selectDocument()
    let file = try terminal.readFile(0x010B)
    #expect(file == document.dataGroups[11])

    guard profile.mapping == .chipAuthentication else {
      #expect(record.objects.count == 1)
      return
    }
    // A_IC decrypted is the factor between the static key and the mapping key.
    let sessionKeys = terminal.keys
    let keys = try #require(sessionKeys)
    let proof = try #require(record.objects.last { $0.tag == 0x8A }).value
    let vector = try profile.suite.initialVector(
      [UInt8](repeating: 0xFF, count: 16), key: Secret(keys.encryption))
    let factor = try #require(
      profile.suite.unpad(
        try profile.suite.decrypt(proof, key: Secret(keys.encryption), iv: vector)))
    let staticKey = try key.apply(scalar, to: key.generator)
    #expect(try key.apply(factor, to: staticKey) == record.mappingValue)
  }

  @Test func allCombinationsAreThere() {
    // Fields: 2 × 4 suites × 2 mappings. Curves: 5 × (4 + 4 + 3) less the integrated mapping on P-224.
    #expect(Self.profiles.count == 16 + 55 - 4)
  }

  @Test func publishedChipAuthenticationData() throws {
    struct Vector: Decodable {
      let caIc: HexBytes
      let aIc: HexBytes
      let caPkIc: HexBytes
      let mapPkIc: HexBytes
      let ephPkIc: HexBytes
      let ephPkIfd: HexBytes
      let tIfd: HexBytes
      let tIc: HexBytes
      let k: HexBytes
    }
    let frame = try #require(PACEVector.cases("pace-cam").first)
    let vector = try #require(try Vectors.cases("pace-cam", of: Vector.self).first)
    let profile = try frame.profile()
    let keys = try SessionKeys(documentSecret: vector.k.bytes, profile.suite)
    #expect(keys.encryption == frame.ksEnc.bytes && keys.authentication == frame.ksMac.bytes)
    #expect(try keys.encrypt(factor: vector.caIc.bytes) == vector.aIc.bytes)
    let group = try #require(AgreementGroup(parameterIdentifier: frame.paramId))
    #expect(
      try group.apply(vector.caIc.bytes, to: vector.caPkIc.bytes) == vector.mapPkIc.bytes)
    let run = PACERun(profile: profile, group: group, password: .mrz)
    #expect(try run.token(over: vector.ephPkIc.bytes, keys) == vector.tIfd.bytes)
    #expect(try run.token(over: vector.ephPkIfd.bytes, keys) == vector.tIc.bytes)
  }

  @Test func wrongPasswordShowsAtTheEndAndTheRightOneOpensAfterwards() throws {
    var terminal = TestTerminal(.gemalto)
    for _ in 0..<3 {
      #expect(throws: TestTerminal.Refused(status: 0x6300)) {
        try terminal.pace(.identityCard, password: [UInt8]("000000".utf8))
      }
      #expect(try terminal.plain("10860000027C0000").status == 0x6985)
    }
    try terminal.pace(.identityCard)
  }

  @Test func theMachineReadableZoneIsAPasswordToo() throws {
    let mrz = [UInt8](Persona.nxp.travelDocument.mrzInformation.utf8)
    var terminal = TestTerminal(.nxp)
    try terminal.pace(
      try #require(PACEProfile.announced(in: Persona.nxp.travelDocument.cardAccess).first),
      reference: 1, password: try HashAlgorithm.sha1.hash(mrz))
  }

  @Test(
    arguments: [
      ("83 01 03", 0x6A88), ("83 01 04", 0x6A88), ("83 01 05", 0x6A88), ("83 02 0202", 0x6A88),
      ("", 0x6A88), ("83 01 02 84 01 0D", 0x6A88), ("83 01 02 84 01 02", 0x9000),
      ("83 01 02 7F4C 00", 0x6A80), ("83 01 02 83 01 02", 0x6A80), ("83 01", 0x6A80),
    ] as [(String, UInt16)])
  func selection(_ objects: String, _ status: UInt16) throws {
    var terminal = TestTerminal(.gemalto)
    let data = try Hex.bytes("80 0A 04007F00070202040101" + objects)
    #expect(
      try terminal.send([0, 0x22, 0xC1, 0xA4, UInt8(data.count)] + data).status == status)
  }

  @Test func otherProtocolsAreRefused() throws {
    var terminal = TestTerminal(.gemalto)
    #expect(try terminal.plain("0022C1A40F800A04007F00070202040202830102").status == 0x6A80)
    #expect(try terminal.plain("0022C1A403830102").status == 0x6A80)
    // Not in another application, and not inside a channel.
    try terminal.expect("00A4040C07A0000002471001")
    #expect(try terminal.plain("0022C1A40F800A04007F00070202040101830102").status == 0x6A88)
    try terminal.expect("00A40000")
    try terminal.pace(.identityCard)
    let select = try Hex.bytes("800A04007F00070202040101830102")
    #expect(try terminal.secure([0, 0x22, 0xC1, 0xA4], select).status == 0x6A88)
  }

  @Test(arguments: [
    "10860000027C00", "00860000027C0000", "10860100027C0000", "10860000047C02800000",
    "1086000000", "1086000002300000",
  ])
  func onlyTheNextStepInItsForm(_ command: String) throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.expect("0022C1A40F800A04007F00070202040101830102")
    let isGood = command == "10860000027C00"
    #expect((try terminal.plain(command).status == 0x9000) == isGood)
    if !isGood { #expect(try terminal.plain("10860000027C0000").status == 0x6985) }
  }

  @Test func anotherCommandEndsTheRun() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.expect("0022C1A40F800A04007F00070202040101830102")
    try terminal.expect("00A4000C")
    #expect(try terminal.plain("10860000027C0000").status == 0x6985)
  }

  @Test(arguments: [0x81, 0x83] as [UInt32])
  func badPublicValuesOfTheTerminal(_ tag: UInt32) throws {
    let field = DomainParameters.standard
    let zero = [UInt8](repeating: 0, count: 256)
    // Two is a valid number, but in no subgroup of this order.
    let outside = [UInt8](zero.dropLast() + [2])
    let bad = [zero, field.one, field.minusOne, field.prime, [0] + field.generator, outside, []]
    for bad in bad {
      var terminal = TestTerminal(.gemalto)
      #expect(throws: TestTerminal.Refused(status: 0x6A80)) {
        try terminal.begin(.identityCard, until: tag, bad)
      }
    }
    let profile = try #require(PACEProfile(parsing: "gm-aes128-13"))
    let group = try #require(AgreementGroup(parameterIdentifier: 13))
    let point = group.generator
    for bad in [
      [0], [0x04] + [UInt8](repeating: 0, count: 64), point.dropLast() + [point[64] ^ 1],
      [0x02] + point[1..<33], point + [0], [],
    ] as [[UInt8]] {
      var terminal = try TestTerminal(.gemalto, options: "pace=gm-aes128-13")
      #expect(throws: TestTerminal.Refused(status: 0x6A80)) {
        try terminal.begin(profile, until: tag, bad)
      }
    }
  }
}

extension TestTerminal {
  /// Goes to the mapping (81) or on to the agreement (83), and sends this value there.
  fileprivate mutating func begin(
    _ profile: PACEProfile, until tag: UInt32, _ value: [UInt8]
  ) throws {
    let group = try #require(AgreementGroup(parameterIdentifier: profile.parameterIdentifier))
    let select =
      BERObject.encode(0x80, profile.objectIdentifier) + BERObject.encode(0x83, [2])
    _ = try send([0, 0x22, 0xC1, 0xA4, UInt8(select.count)] + select)
    _ = try send([0x10, 0x86, 0, 0, 2, 0x7C, 0, 0])
    if tag == 0x83 {
      let (_, status) = try send(authenticate(0x10, (0x81, group.generator)))
      try #require(status == 0x9000)
    }
    let (_, status) = try send(authenticate(0x10, (tag, value)))
    guard status == 0x9000 else { throw Refused(status: status) }
  }
}
