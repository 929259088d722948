import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// Chip authentication and active authentication from the card's end.
@Suite struct ChipAuthenticationTests {
  struct Vector: Decodable, Sendable {
    let paramId: UInt8
    let keyId: HexBytes?
    let skIc: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let smBefore: Channel
    let exchanges: [Exchange]
    let firstAfter: Exchange
  }

  struct Channel: Decodable, Sendable {
    let cipher: String
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
  }

  struct Exchange: Decodable, Sendable {
    let plainCmd: HexBytes
    let protectedCmd: HexBytes
    let protectedRsp: HexBytes
  }

  @Test(arguments: try Vectors.cases("chip-auth", of: Vector.self))
  func published(_ vector: Vector) throws {
    let suite = try #require(CipherSuite(rawValue: vector.smBefore.cipher.lowercased()))
    var document = Persona.gemalto.travelDocument
    document.chipAuthenticationKeys = [
      .init(
        identifier: vector.keyId?.bytes.first, parameterIdentifier: vector.paramId,
        scalar: vector.skIc.bytes)
    ]
    var application = CardApplication(
      .gemalto, travelDocument: document, random: RecordedRandom())
    application.state.application = .travelDocument
    application.state.document = DocumentSession(access: .pace, suite: suite)
    var session = CardSession(
      SessionKeys(
        suite: suite, encryption: vector.smBefore.ksEnc.bytes,
        authentication: vector.smBefore.ksMac.bytes, counter: vector.smBefore.ssc.bytes))
    for exchange in vector.exchanges + [vector.firstAfter] {
      let command = try session.open(
        try #require(CardCommand(splitting: exchange.protectedCmd.bytes)))
      #expect(
        command.data
          == CardCommand(splitting: exchange.plainCmd.bytes)?.data)
      let answer = application.execute(command, isSecured: true)
      let body = try session.seal(answer, oddInstruction: false)
      #expect(body + answer.status.bytes == exchange.protectedRsp.bytes)
      guard case .begin(let keys) = answer.afterwards else { continue }
      #expect(keys.encryption == vector.ksEnc.bytes && keys.authentication == vector.ksMac.bytes)
      session = CardSession(keys)
    }
  }

  /// Performs chip authentication of a persona.
  private func authenticate(
    _ terminal: inout TestTerminal, parameter: UInt8, _ identifier: UInt8?,
    _ suite: CipherSuite
  ) throws -> UInt16 {
    let group = try #require(AgreementGroup(parameterIdentifier: parameter))
    let key = try #require(
      terminal.card.persona.travelDocument.chipAuthenticationKeys.first {
        $0.parameterIdentifier == parameter
      })
    let scalar = [UInt8](repeating: 0x47, count: group.order.count - 1)
    let own = try group.apply(scalar, to: group.generator)
    let reference = identifier.map { BERObject.encode(0x84, [$0]) } ?? []
    if suite == .tripleDES {
      let status = try terminal.secure(
        [0, 0x22, 0x41, 0xA6], BERObject.encode(0x91, own) + reference, extended: true
      ).status
      guard status == 0x9000 else { return status }
    } else {
      let kind: UInt8 = parameter < 8 ? 1 : 2
      let oid: [UInt8] = [4, 0, 0x7F, 0, 7, 2, 2, 3, kind, suite.identifier]
      let status = try terminal.secure(
        [0, 0x22, 0x41, 0xA4], BERObject.encode(0x80, oid) + reference
      ).status
      guard status == 0x9000 else { return status }
      let (data, outcome) = try terminal.secure(
        [0, 0x86, 0, 0], BERObject.encode(0x7C, BERObject.encode(0x80, own)), le: 0,
        extended: true)
      guard outcome == 0x9000 else { return outcome }
      #expect(data == [0x7C, 0])
    }
    let chip = try group.apply(key.scalar, to: group.generator)
    terminal.begin(
      try SessionKeys(
        documentSecret: group.sharedSecret(group.apply(scalar, to: chip)), suite))
    return try terminal.secure([0, 0xB0, 0x8E, 0], le: 4).status
  }

  @Test(
    arguments: [
      ("gemalto", 2, nil, .tripleDES), ("gemalto2", 2, 1, .tripleDES), ("st", 12, nil, .aes128),
      ("itj4", 2, 1, .tripleDES), ("itj4", 13, 2, .aes256), ("itj4", 2, 1, .aes192),
      ("unknown", 12, 1, .aes128),
    ] as [(String, UInt8, UInt8?, CipherSuite)])
  func changesTheKeys(
    _ name: String, _ parameter: UInt8, _ identifier: UInt8?, _ suite: CipherSuite
  ) throws {
    var terminal = TestTerminal(try #require(Persona.named(name)))
    try terminal.openDocument()
    #expect(try authenticate(&terminal, parameter: parameter, identifier, suite) == 0x9000)
    // The document stays open.
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).status == 0x9000)
  }

  @Test func unknownKeysAndWrongObjectsAreRefused() throws {
    var terminal = TestTerminal(.itj4)
    try terminal.openDocument()
    #expect(try authenticate(&terminal, parameter: 2, nil, .tripleDES) == 0x6A88)
    #expect(try authenticate(&terminal, parameter: 2, 9, .aes128) == 0x6A88)
    for (header, data, status) in [
      ([0, 0x22, 0x41, 0xA6], "9101018401 01", 0x6A80), ([0, 0x22, 0x41, 0xA6], "840101", 0x6A80),
      ([0, 0x22, 0x41, 0xA4], "8001028401 01", 0x6A80), ([0, 0x22, 0x41, 0xA4], "8200", 0x6A80),
      ([0, 0x22, 0x81, 0xA4], "80 0A 04007F00070202030102", 0x6A86),
      ([0, 0x22, 0x41, 0xA4], "80 0A 04007F00070202030302", 0x6A80),
      ([0, 0x22, 0x41, 0xA4], "80 0A 04007F00070202030105", 0x6A80),
      ([0, 0x86, 0, 0], "7C00", 0x6985),
    ] as [([UInt8], String, UInt16)] {
      #expect(try terminal.secure(header, Hex.bytes(data)).status == status, "\(data)")
    }
    // Not in the clear.
    try terminal.expect("00A4040C07A0000002471001")
    #expect(try terminal.plain("0022 41A6 03 910101".filter { $0 != " " }).status == 0x6982)
  }

  @Test func anotherKeyThanThatOfTheDocument() throws {
    let card = VirtualCard(persona: .gemalto, faults: FaultPlan(.wrongChipAuthenticationKey))
    var terminal = TestTerminal(card)
    try terminal.openDocument()
    // The channel is lost: the card cannot read data that the terminal protects with the right key.
    #expect(try authenticate(&terminal, parameter: 2, nil, .tripleDES) == 0x6988)
  }

  @Test(arguments: [false, true]) func activeAuthenticationSignsWithRSA(_ isFaulty: Bool) throws {
    guard case .rsa(let key, let trailer)? = Persona.gemalto2.travelDocument.activeAuthenticationKey
    else {
      Issue.record("an RSA key")
      return
    }
    #expect(trailer == [0x34, 0xCC])
    let faults = isFaulty ? FaultPlan(.wrongActiveAuthentication) : FaultPlan()
    var terminal = TestTerminal(.gemalto2, faults: faults)
    try terminal.openDocument()
    let challenge = [UInt8](1...8)
    let (signature, status) = try terminal.secure([0, 0x88, 0, 0], challenge, le: 0)
    #expect(status == 0x9000)
    let block = try ModularArithmetic.power(signature, [1, 0, 1], modulus: key.modulus)
    #expect(block.first == 0x6A && block.suffix(2) == [0x34, 0xCC])
    let message = [UInt8](block.dropFirst().dropLast(34))
    let hash = try HashAlgorithm.sha256.hash(message, challenge)
    #expect((hash == [UInt8](block.dropLast(2).suffix(32))) == !isFaulty)
    #expect(try terminal.secure([0, 0x88, 0, 0], [1, 2, 3], le: 0).status == 0x6700)
  }

  @Test(arguments: [false, true]) func activeAuthenticationSignsWithECDSA(_ isFaulty: Bool) throws {
    guard
      case .ecdsa(_, _, let name)? =
        Persona.st.travelDocument.activeAuthenticationKey
    else {
      Issue.record("an ECDSA key")
      return
    }
    let faults = isFaulty ? FaultPlan(.wrongActiveAuthentication) : FaultPlan()
    var terminal = TestTerminal(.st, faults: faults)
    try terminal.openDocument()
    let (signature, status) = try terminal.secure([0, 0x88, 0, 0], [UInt8](1...8), le: 0)
    #expect(status == 0x9000)
    var file = TLVCursor(try #require(Persona.st.travelDocument.dataGroups[15]))
    guard let key = SubjectPublicKey([UInt8](try file.next(0x6F).value)) else {
      Issue.record("a key in DG15")
      return
    }
    let numbers = [signature.prefix(signature.count / 2), signature.suffix(signature.count / 2)]
    // INTEGERs without superfluous zeros (ISO/IEC 8825-1 §8.3).
    let integers = numbers.map { number in
      let digits = [UInt8](number).withoutLeadingZeros
      return TLV.encode(DER.integer, (digits[0] & 0x80 == 0 ? [] : [0]) + digits)
    }
    let digest = try #require(HashAlgorithm(rawValue: name)).hash([UInt8](1...8))
    #expect(
      key.verifyECDSA(TLV.encode(DER.sequence, integers), digest: digest) == !isFaulty)
  }

  @Test func noActiveAuthentication() throws {
    var terminal = TestTerminal(.nxp)
    try terminal.openDocument()
    #expect(
      try terminal.secure([0, 0x88, 0, 0], [UInt8](1...8), le: 0).status == 0x6D00)
    try terminal.expect("00A4040C07A0000002471001")
    #expect(try terminal.plain("0088000008010203040506070800").status == 0x6982)
  }
}
