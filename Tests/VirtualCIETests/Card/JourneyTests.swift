import CIECard
import Testing

@testable import VirtualCIE

/// The whole journey from the terminal's side, on every persona.
@Suite struct JourneyTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func authenticateVerifyReadSign(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    var terminal = TestTerminal(persona)
    try terminal.open()
    try terminal.authenticate()
    #expect(try terminal.verifyPIN(persona.pin) == 0x9000)

    let file = try terminal.readSecured(3, count: persona.certificate.count)
    #expect(file == persona.certificate)
    #expect(try terminal.readSecured(2, count: 9) == [UInt8](persona.documentNumber.utf8))

    let digestInfo =
      HexText.decode("3031300D060960864801650304020105000420")
      + (try HashAlgorithm.sha256.hash([UInt8]("journey".utf8)))
    try #require(
      terminal.secure([0, 0x22, 0x41, 0xA4], HexText.decode("800102840181")).status == 0x9000)
    let (signature, status) = try terminal.secure([0, 0x88, 0, 0], digestInfo)
    #expect(status == 0x9000)
    let modulus = try modulus(ofCertificate: persona.certificate)
    #expect(try TestTerminal.opens(signature, digestInfo, modulus: modulus))

    let counters = terminal.card.log.counters
    #expect(counters.verifications == 1)
    #expect(counters.holderSignatures == 1)
    #expect(counters.rsaPrivateOperations == 2)
    #expect(counters.rsaPublicOperations == 2)
    #expect(counters.dhExponentiations == 2)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func antiCloneProofWithoutPIN(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    var terminal = TestTerminal(persona)
    try terminal.open()
    try terminal.expect("002241A406800102840183")
    let challenge = [UInt8](0..<16)
    let (signature, status) = try terminal.send([0, 0x88, 0, 0, 16] + challenge + [0])
    #expect(status == 0x9000)
    #expect(
      try TestTerminal.opens(signature, challenge, modulus: persona.servicesKey.modulus))
  }

  @Test func combinedParametersAndDSTTemplate() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.authenticate(separately: false, terminalKeyTemplate: 0xB6)
    #expect(try terminal.verifyPIN(Persona.gemalto.pin) == 0x9000)
  }

  @Test func extendedLengthReadsTheCertificateAtOnce() throws {
    let persona = Persona.itj4
    var terminal = TestTerminal(persona)
    try terminal.open()
    try terminal.authenticate()
    try terminal.verifyPIN(persona.pin)
    let before = terminal.card.log.entries.count
    let (file, status) = try terminal.secure([0, 0xB0, 0x83, 0], le: 0, extended: true)
    #expect(status == 0x9000 || status == 0x6282)
    #expect([UInt8](file.prefix(persona.certificate.count)) == persona.certificate)
    #expect(terminal.card.log.entries.count == before + 1)
    #expect(try #require(terminal.wire.last).count <= 0x7E3)
  }

  @Test func sameSeedSameConversation() throws {
    var wires: [[[UInt8]]] = []
    for _ in 0..<2 {
      var terminal = TestTerminal(.nxp)
      try terminal.open()
      try terminal.authenticate()
      wires.append(terminal.wire)
    }
    #expect(wires[0] == wires[1])
    #expect(wires[0].count > 20)
  }

  private func modulus(ofCertificate der: [UInt8]) throws -> [UInt8] {
    let start = HexText.decode("3082010A0282010100")
    let index = try #require(
      der.indices.first { der[$0...].starts(with: start) }, "RSA-2048 key in the certificate")
    return [UInt8](der[(index + start.count)...].prefix(256))
  }
}
