import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// No input may stop the travel document's side of the card: prefixes and changed bytes of good commands.
@Suite struct HostileDocumentInputTests {
  private static let wire = [
    "0022C1A412800A04007F00070202040202830102840 10D", "10860000027C0000", "00860000027C0000",
    "008600000C7C0A8508000102030405060700", "10860000047C02810000", "10860000057C0383010000",
    "0084000008", "00B1000004540280 0000", "0086000000000C7C0A850800010203040506070000",
  ]

  @Test(arguments: wire) func everyChangedCommandGetsAnAnswer(_ hex: String) throws {
    let good = try Hex.bytes(hex)
    var options = CardOptions()
    options.paceProfiles = [try #require(PACEProfile(parsing: "gm-aes128-13"))]
    options.acceptsHolderPasswords = true
    let card = VirtualCard(persona: .itj4, options: options)
    for bad in good.hostileVariants {
      #expect(try card.respond(to: bad).count >= 2)
    }
  }

  /// A card at each step of PACE, which gets the good command of the step with every byte changed.
  @Test(arguments: 0..<4) func everyChangedStepOfPACEGetsAnAnswer(_ step: Int) throws {
    let vector = try #require(PACEVector.cases("pace-ecdh-gm").first)
    let good = vector.apdus[step + 1].cmd.bytes
    var application = try vector.application()
    for exchange in vector.apdus.prefix(step + 1) {
      let command = try #require(CardCommand(splitting: exchange.cmd.bytes))
      let answer = application.execute(command, isSecured: false)
      #expect(answer.data + answer.status.bytes == exchange.rsp.bytes)
    }
    var opened = 0
    for bad in good.hostileVariants {
      // The class byte is checked before.
      guard let command = CardCommand(splitting: bad), bad.first == good.first else { continue }
      var copy = application
      let answer = copy.execute(command, isSecured: false)
      if case .begin = answer.afterwards { opened += 1 }
    }
    // The outer Le does not matter to PACE: its 255 other values and its absence.
    #expect(opened == (step == 3 ? 256 : 0))
  }

  @Test(arguments: [
    "0C2241A6069101028401 01", "0C2241A40F800A04007F000702020302028401 02",
    "0C860000057C0380010000", "0C8800000801020304050607 0800", "0CB10000045402 800000",
    "0C8200002801", "0CA4020C020101", "0CB0810000", "0CB1000104540 2000000",
  ])
  func inTheChannel(_ hex: String) throws {
    var application = CardApplication(
      .itj4, travelDocument: Persona.itj4.travelDocument, random: SeededRandom(seed: "hostile"))
    application.state.application = .travelDocument
    application.state.document = DocumentSession(access: .pace, suite: .aes256)
    application.state.chipAuthentication = ChipAuthenticationRun(
      group: try #require(AgreementGroup(parameterIdentifier: 13)), scalar: [5], suite: .aes128)
    for bad in try Hex.bytes(hex).hostileVariants {
      guard let command = CardCommand(splitting: bad) else { continue }
      var copy = application
      #expect(copy.execute(command, isSecured: true).status.word >= 0x6100)
    }
  }

  @Test func documentsThatAreNoDocuments() throws {
    var terminal = try TestTerminal(.gemalto, options: "pace=cam-aes128-13+gm-3des-2") {
      $0.can = ""
      $0.mrzInformation = ""
      $0.dataGroups = [1: [], 99: [1]]
      $0.common = []
      $0.chipAuthenticationKeys = [
        .init(identifier: nil, parameterIdentifier: 13, scalar: [0]),
        .init(identifier: 1, parameterIdentifier: 7, scalar: []),
      ]
      $0.activeAuthenticationKey = .rsa(
        RSAPrivateKey(modulus: [8], parts: []), trailer: [0x34, 0xCC])
    }
    // Zero has no inverse: the proof of the chip cannot be made.
    #expect(throws: TestTerminal.Refused(status: 0x6F00)) {
      try terminal.pace(try #require(PACEProfile(parsing: "cam-aes128-13")), password: [])
    }
    try terminal.pace(.identityCard, password: [])
    try terminal.selectDocument()
    #expect(try terminal.secure([0, 0x88, 0, 0], [UInt8](1...8), le: 0).status == 0x6F00)
    #expect(try terminal.secure([0, 0xA4, 2, 0x0C], [1, 1]).status == 0x6A82)
    #expect(PACEProfile.announced(in: [0x31, 3, 0x30, 1, 0]) == [])
  }
}

extension PACEVector {
  /// The card of the case without its wire.
  fileprivate func application() throws -> VirtualCIE.CardApplication {
    var options = CardOptions()
    options.paceProfiles = [try profile()]
    var document = Persona.gemalto.travelDocument
    if let mrzInformation { document.mrzInformation = mrzInformation }
    return CardApplication(
      .gemalto, travelDocument: document, options: options,
      random: RecordedRandom(s.bytes, mapSkIc?.bytes ?? [], ephSkIc?.bytes ?? []))
  }
}

extension [UInt8] {
  /// Every prefix, every single-byte change, and bytes appended at the end.
  fileprivate var hostileVariants: [[UInt8]] {
    let prefixes = indices.map { [UInt8](prefix($0)) }
    let changes = indices.flatMap { index in
      (UInt8(1)...255).map { bits in
        var copy = self
        copy[index] ^= bits
        return copy
      }
    }
    return prefixes + changes + [self + [0], self + self]
  }
}
