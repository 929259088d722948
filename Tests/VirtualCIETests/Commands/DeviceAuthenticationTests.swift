import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The rules of key agreement, certificate and authentication, and the card's refusals.
@Suite struct DeviceAuthenticationTests {
  private func agreed(_ persona: Persona = .gemalto) throws -> TestTerminal {
    var terminal = TestTerminal(persona)
    try terminal.open()
    try terminal.agree()
    return terminal
  }

  private let chooseAuthority = HexText.decode("800141830184")

  @Test func parametersTogetherOnlyWhereTheCardDoesSo() throws {
    for persona in Persona.all {
      var terminal = TestTerminal(persona)
      try terminal.open()
      let (data, status) = try terminal.plain("00CB3FFF0A4D087006BFA10102A380")
      let together = [CardFamily.gemalto, .gemalto2].contains(persona.family)
      #expect(status == (together ? 0x9000 : 0x6A80))
      #expect(data.count == (together ? 568 : 0))
    }
  }

  @Test func objectsThatDoNotExist() throws {
    var terminal = TestTerminal(.gemalto)
    #expect(try terminal.plain("00CB3FFF0B4D097007BFA004037F4980").status == 0x6A88, "no DF yet")
    try terminal.open()
    #expect(try terminal.plain("00CB3FFF0B4D097007BFA005037F4980").status == 0x6A88)
    #expect(try terminal.plain("00CB3FFF0C4D0A7008BFA10104A3029600").status == 0x6A88)
    #expect(try terminal.plain("00CB3FFE0B4D097007BFA004037F4980").status == 0x6A86)
    #expect(try terminal.plain("00CB3FFF024D01").status == 0x6A80)
    #expect(try terminal.plain("00CB3FFF064D04A6029100").status == 0x6985, "no K.IFD yet")
    let older = try terminal.expect("00CB3FFF0E4D0C700ABFA004067F49035F2080")
    #expect(older == (try terminal.expect("00CB3FFF0B4D097007BFA004037F4980")))
  }

  @Test func terminalValueMustNotBeTrivial() throws {
    let group = DomainParameters.standard
    for value in [
      [UInt8](repeating: 0, count: 256), group.one, group.minusOne, group.prime,
      [UInt8](repeating: 2, count: 255),
    ] {
      var terminal = TestTerminal(.gemalto)
      try terminal.open()
      let template =
        try Hex.bytes("80019B830181") + BERObject.encode(0x91, value)
      let first = try terminal.raw([0x10, 0x22, 0x41, 0xA6, 0x80] + template.prefix(0x80))
      #expect(first == [0x90, 0])
      let rest = template.dropFirst(0x80)
      #expect(
        try terminal.raw([0x00, 0x22, 0x41, 0xA6, UInt8(rest.count)] + rest) == [0x6A, 0x80])
    }
  }

  @Test func orderOfTheSteps() throws {
    var terminal = try agreed()
    #expect(try terminal.secure([0, 0x2A, 0, 0xAE], [0x7F]).status == 0x6985, "no key chosen")
    #expect(try terminal.secure([0, 0x82, 0, 0], [1]).status == 0x6985, "no certificate")
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x6982, "key 81 from the start")
    try terminal.secure([0, 0x22, 0x41, 0xA4], Hex.bytes("84018280019B"))
    #expect(try terminal.secure([0, 0x88, 0, 0], [UInt8](0..<8)).status == 0x6985)
    try terminal.secure([0, 0x22, 0x41, 0xA4], Hex.bytes("800102840181"))
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x6982)
    #expect(terminal.card.log.counters.rsaPrivateOperations == 0)
    var plain = TestTerminal(.gemalto)
    try plain.open()
    #expect(try plain.plain("002A00AE017F").status == 0x6982)
    #expect(try plain.plain("008200000101").status == 0x6E00)
    try plain.expect("002241A40684018280019B")
    #expect(try plain.plain("00880000080102030405060708").status == 0x6E00)
  }

  @Test func securityEnvironment() throws {
    var terminal = try agreed()
    for (header, data, status) in [
      ("0022 81B6", "800141830184", 0x9000), ("0022 81B6", "830184800141", 0x9000),
      ("0022 81B6", "800142830184", 0x6A80), ("0022 81B6", "800141830185", 0x9000),
      ("0022 41A4", "840182 80019B", 0x9000), ("0022 41A4", "80019B 840182", 0x9000),
      ("0022 41A4", "800102 840182", 0x6A80), ("0022 41A4", "80019B 840181", 0x6A80),
      ("0022 41A4", "800102 840184", 0x9000), ("0022 41A4", "800102", 0x6A80),
      ("0022 41A4", "800102 800102 840181", 0x6A80), ("0022 41A4", "85", 0x6A80),
      ("0022 C1A4", "800102 840181", 0x6A86), ("0022 81A4", "830C000000002000000000000001", 0x9000),
      ("0022 41A7", "800102 840181", 0x6A81), ("0022 C2A4", "800102 840181", 0x6A86),
    ] as [(String, String, UInt16)] {
      let answer = try terminal.secure(Hex.bytes(header), Hex.bytes(data))
      #expect(answer.status == status, "\(header) \(data)")
    }
  }

  /// IAS ECC §9.9.2: MSE SET does not check that the key exists; the command that uses it does.
  @Test(arguments: [false, true]) func unknownKeysShowWhenTheyAreUsed(_ early: Bool) throws {
    var terminal = try TestTerminal(.gemalto, options: early ? "mse-checks-keys" : "nonce=16")
    try terminal.open()
    try terminal.agree()
    for (template, reference, use, data) in [
      ([0x81, 0xB6], "800141830185", [0x2A, 0x00, 0xAE], "7F2100"),
      ([0x41, 0xA4], "800102840184", [0x88, 0x00, 0x00], "01"),
      ([0x81, 0xA4], "830C000000002000000000000001", [0x82, 0x00, 0x00], "01"),
    ] as [([UInt8], String, [UInt8], String)] {
      let answer = try terminal.secure([0, 0x22] + template, Hex.bytes(reference))
      #expect(answer.status == (early ? 0x6A88 : 0x9000))
      if !early { #expect(try terminal.secure([0] + use, Hex.bytes(data)).status == 0x6A88) }
    }
  }

  /// IAS ECC §10.6.2 has one order of the objects; every host sends another.
  @Test func aStrictCardTakesObjectsInOneOrder() throws {
    var terminal = try TestTerminal(.gemalto, options: "strict-mse")
    try terminal.open()
    #expect(try terminal.plain("002241A406840183800102").status == 0x6A80)
    try terminal.expect("002241A406800102840183")
  }

  @Test func certificateWithAnyBitWrongIsRefused() throws {
    var terminal = try agreed()
    let good = try terminal.terminalCertificate(terminal.authorityKey())
    // Signature, remaining modulus, exponent and CAR; and the frame.
    for index in [12, 200, 270, 300, 340, 353, 0, 6] {
      try terminal.secure([0, 0x22, 0x81, 0xB6], chooseAuthority)
      var bad = good
      bad[index] ^= 1
      let status = try terminal.secureChained([0, 0x2A, 0, 0xAE], bad).status
      let isFrame = index < 10 || index > 346
      #expect(status == (isFrame ? 0x6A80 : 0x6982), "byte \(index)")
    }
    try terminal.secure([0, 0x22, 0x81, 0xB6], chooseAuthority)
    #expect(try terminal.secureChained([0, 0x2A, 0, 0xAE], good).status == 0x9000)
  }

  @Test func terminalProofIsCheckedAndItsChallengeUsedOnce() throws {
    var terminal = TestTerminal(.st)
    try terminal.open()
    let values = try terminal.agree()
    let certificate = try terminal.terminalCertificate(terminal.authorityKey())
    try terminal.secure([0, 0x22, 0x81, 0xB6], chooseAuthority)
    #expect(try terminal.secureChained([0, 0x2A, 0, 0xAE], certificate).status == 0x9000)
    let name = try Hex.bytes("830C000000002000000000000001")
    #expect(try terminal.secure([0, 0x22, 0x81, 0xB6], name).status == 0x6A88, "only A4 on ST")
    #expect(try terminal.secure([0, 0x22, 0x81, 0xA4], name).status == 0x9000)
    let proof = TerminalKey.serialNumber + [UInt8](repeating: 0x11, count: 256)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], proof).status == 0x6985, "no challenge")
    #expect(try terminal.secure([0, 0x84, 0, 0], le: 4).status == 0x6700)
    #expect(try terminal.secure([0, 0x84, 0, 0], le: 8).data.count == 8)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], proof).status == 0x6300)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], proof).status == 0x6985, "used up")
    // A challenge is valid for the next command, whatever that is.
    try terminal.secure([0, 0x84, 0, 0], le: 8)
    try terminal.secure([0, 0x22, 0x81, 0xA4], name)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], proof).status == 0x6985, "too late")
    #expect(try terminal.secure([0, 0x84, 0, 0], le: 0).status == 0x6700)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], [1]).status == 0x6985)
    // Well framed and signed with the right key, but over another challenge, or for another serial number.
    let (challenge, _) = try terminal.secure([0, 0x84, 0, 0], le: 8)
    let late = try terminal.proof([UInt8](repeating: 0, count: 8), values.terminal, values.card)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], late).status == 0x6300)
    let (second, _) = try terminal.secure([0, 0x84, 0, 0], le: 8)
    #expect(second != challenge)
    let foreign = try terminal.proof(
      second, values.terminal, values.card, serial: [UInt8](repeating: 9, count: 8))
    #expect(try terminal.secureChained([0, 0x82, 0, 0], foreign).status == 0x6300)
    let (third, _) = try terminal.secure([0, 0x84, 0, 0], le: 8)
    let good = try terminal.proof(third, values.terminal, values.card)
    #expect(try terminal.secureChained([0, 0x82, 0, 0], good).status == 0x9000)
  }

  @Test func noAgreementInsideSecureMessaging() throws {
    var terminal = try agreed()
    let answer = try terminal.secure([0, 0xCB, 0x3F, 0xFF], Hex.bytes("4D04A6029100"))
    #expect(answer.status == 0x6985)
  }

  @Test func holderKeyNeedsThePIN() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.authenticate()
    try terminal.secure([0, 0x22, 0x41, 0xA4], Hex.bytes("800102840181"))
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x6982)
    try terminal.verifyPIN("00000000")
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x6982)
    try terminal.verifyPIN(Persona.gemalto.puk, reference: 0x82)
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x6982, "the PUK is no PIN")
    #expect(terminal.card.log.counters.holderSignatures == 0)
    try terminal.verifyPIN(Persona.gemalto.pin)
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).status == 0x9000)
    #expect(try terminal.secure([0, 0x88, 0, 0], [2]).status == 0x9000, "and again")
    #expect(terminal.card.log.counters.holderSignatures == 2)
  }

  @Test func signatureInputIsLimited() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.expect("002241A406800102840183")
    for (count, status) in [(0, 0x6700), (1, 0x9000), (102, 0x9000), (103, 0x6700)] {
      let text = [UInt8](repeating: 1, count: count)
      let command = count == 0 ? [0, 0x88, 0, 0] : [0, 0x88, 0, 0, UInt8(count)] + text
      #expect(try terminal.send(command).status == UInt16(status))
    }
  }
}
