import CIECard
import Testing

@testable import VirtualCIE

extension TestTerminal {
  /// Selects the root application, or the MF where its AID is unknown, then the CIE application.
  mutating func open() throws {
    let (_, status) = try plain("00A4040C0DA0000000308000000009816001")
    if status == 0x6A82 { try expect("00A40000") } else { #expect(status == 0x9000) }
    try expect("00A4040C06A00000000039")
  }

  /// Diffie–Hellman and device authentication, both ways, every check made.
  mutating func authenticate(separately: Bool = true, terminalKeyTemplate: UInt8 = 0xA4) throws {
    let (terminalValue, cardValue) = try agree(separately: separately)
    let authority = try authorityKey()
    let deviceKey = try publicKey(shortIdentifier: 4)

    try succeed(secure([0, 0x22, 0x81, 0xB6], HexText.decode("800141830184"), le: 0))
    let certificate = try terminalCertificate(authority)
    try succeed(secureChained([0, 0x2A, 0x00, 0xAE], certificate))
    try succeed(
      secure(
        [0, 0x22, 0x81, terminalKeyTemplate], [0x83, 0x0C, 0, 0, 0, 0] + TerminalKey.serialNumber))
    let (challenge, _) = try secure([0, 0x84, 0, 0], le: 8)
    try #require(challenge.count == 8)

    let parameters = group.g + group.p + group.q
    try succeed(
      secureChained([0, 0x82, 0, 0], proof(challenge, terminalValue, cardValue)))

    try succeed(secure([0, 0x22, 0x41, 0xA4], HexText.decode("84018280019B")))
    let own: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let (proof, _) = try secure([0, 0x88, 0, 0], own)
    try #require(proof.count == 264)
    let serial = [UInt8](proof.prefix(8))
    let block = try ModularArithmetic.power(
      [UInt8](proof.suffix(256)), [1, 0, 1], modulus: deviceKey)
    #expect(block.first == 0x6A && block.last == 0xBC)
    let expected = try HashAlgorithm.sha256.hash(
      [UInt8](block[1..<223]), cardValue, serial, own, terminalValue, parameters)
    guard [UInt8](block[223..<255]) == expected else { throw BadProof() }
    counter = (challenge.suffix(4) + own.suffix(4)).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The card's signature in device authentication did not verify.
  struct BadProof: Error {}

  /// Key agreement, after which secure messaging is on.
  @discardableResult
  mutating func agree(separately: Bool = true) throws -> (terminal: [UInt8], card: [UInt8]) {
    if separately {
      func value(_ tag: UInt8, _ data: [UInt8]) throws -> [UInt8] {
        try find([0x70, 0xBFA101, 0xA3, UInt32(tag)], data)
      }
      group.g = try value(0x97, expect("00CB3FFF0C4D0A7008BFA10104A3029700"))
      group.p = try value(0x98, expect("00CB3FFF0C4D0A7008BFA10104A3029800"))
      group.q = try value(0x99, expect("00CB3FFF0C4D0A7008BFA10104A3029900"))
    } else {
      let all = try expect("00CB3FFF0A4D087006BFA10102A380")
      group.g = try find([0x70, 0xBFA101, 0xA3, 0x97], all)
      group.p = try find([0x70, 0xBFA101, 0xA3, 0x98], all)
      group.q = try find([0x70, 0xBFA101, 0xA3, 0x99], all)
    }
    try #require(group.p.count == 256 && group.q.count == 32)
    let secret = [UInt8](repeating: 0x33, count: 32)
    let terminalValue = try ModularArithmetic.power(group.g, secret, modulus: group.p)
    let template = HexText.decode("80019B83018191820100") + terminalValue
    let first = try raw([0x10, 0x22, 0x41, 0xA6, 0xFF] + template.prefix(255))
    let second = try raw([0x00, 0x22, 0x41, 0xA6, 0x0B] + template.suffix(11))
    #expect(first == [0x90, 0] && second == [0x90, 0])
    let answer = try expect("00CB3FFF064D04A6029100")
    let cardValue = try find([0xA6, 0x91], answer)
    let shared = try ModularArithmetic.power(cardValue, secret, modulus: group.p)
    keys = (
      [UInt8](try HashAlgorithm.sha256.hash(shared, [0, 0, 0, 1]).prefix(16)),
      [UInt8](try HashAlgorithm.sha256.hash(shared, [0, 0, 0, 2]).prefix(16))
    )
    counter = 1
    return (terminalValue, cardValue)
  }

  struct Authority {
    var modulus: [UInt8]
    var exponent: [UInt8]
    var reference: [UInt8]
    var authorization: [UInt8]
  }

  /// The CA key of the card. Under secure messaging it would be another command, so this one is sent before.
  mutating func authorityKey() throws -> Authority {
    let (data, status) = try secure(
      [0, 0xCB, 0x3F, 0xFF], HexText.decode("4D097007BFA004037F4980"))
    #expect(status == 0x9000)
    return Authority(
      modulus: try find([0x70, 0xBFA004, 0x7F49, 0x81], data),
      exponent: try find([0x70, 0xBFA004, 0x7F49, 0x82], data),
      reference: [UInt8](try find([0x70, 0xBFA004, 0x7F49, 0x5F20], data).suffix(8)),
      authorization: try find([0x70, 0xBFA004, 0x7F49, 0x5F4C], data))
  }

  /// The data of PSO VERIFY CERTIFICATE for the terminal key, signed with the public CA exponent.
  func terminalCertificate(_ authority: Authority) throws -> [UInt8] {
    var body = [0x8A] + authority.reference + [0, 0, 0, 0] + TerminalKey.serialNumber
    body += authority.authorization.prefix(6) + [1] + HexText.decode("2A8122F42A02040104")
    body += TerminalKey.modulus + [0, 1, 0, 1]
    try #require(body.count == 297)
    let block = [0x6A] + body.prefix(222) + (try HashAlgorithm.sha256.hash(body)) + [0xBC]
    let signature = try ModularArithmetic.power(
      block, TerminalKey.authorityExponent, modulus: authority.modulus)
    let head = HexText.decode("7F2182015D5F37820100") + signature
    return head + [0x5F, 0x38, 0x4B] + body.suffix(75) + [0x42, 8] + authority.reference
  }

  /// The data of EXTERNAL AUTHENTICATE: SN.IFD and the terminal's signature.
  func proof(
    _ challenge: [UInt8], _ terminalValue: [UInt8], _ cardValue: [UInt8],
    serial: [UInt8] = TerminalKey.serialNumber
  ) throws -> [UInt8] {
    let padding = [UInt8](repeating: 0x5A, count: 222)
    let hash = try HashAlgorithm.sha256.hash(
      padding, terminalValue, serial, challenge, cardValue, group.g + group.p + group.q)
    return try serial
      + ModularArithmetic.power(
        [0x6A] + padding + hash + [0xBC], TerminalKey.privateExponent,
        modulus: TerminalKey.modulus)
  }

  /// The modulus in EF 1004 or 1005, read by SFI under secure messaging.
  mutating func publicKey(shortIdentifier: UInt8) throws -> [UInt8] {
    let file = try readSecured(shortIdentifier, count: 270)
    let key = try #require(BERObject.single(0x30, [UInt8](file.prefix(270))))
    let numbers = try #require(BERObject.list(key.value))
    return [UInt8](try #require(numbers.first).value.suffix(256))
  }

  /// The first bytes of a file in blocks of 231.
  mutating func readSecured(_ shortIdentifier: UInt8, count: Int) throws -> [UInt8] {
    var (content, status) = try secure([0, 0xB0, 0x80 | shortIdentifier, 0], le: 231)
    #expect(status == 0x9000 || status == 0x6282)
    while content.count < count {
      let offset = content.count
      let block = try secure(
        [0, 0xB0, UInt8(offset >> 8), UInt8(offset & 0xFF)], le: min(231, count - offset))
      try #require(!block.data.isEmpty)
      content += block.data
      status = block.status
    }
    return content
  }

  @discardableResult
  mutating func verifyPIN(_ pin: String, reference: UInt8 = 0x81) throws -> UInt16 {
    try secure([0, 0x20, 0, reference], [UInt8](pin.utf8)).status
  }

  /// Checks whether a PKCS#1 signature over `text` verifies with this modulus.
  static func opens(_ signature: [UInt8], _ text: [UInt8], modulus: [UInt8]) throws -> Bool {
    let block = try ModularArithmetic.power(signature, [1, 0, 1], modulus: modulus)
    let filling = [UInt8](repeating: 0xFF, count: 253 - text.count)
    return block == [0, 1] + filling + [0] + text
  }

  private func succeed(_ response: (data: [UInt8], status: UInt16)) throws {
    #expect(response.status == 0x9000)
  }

  private func find(_ path: [UInt32], _ data: [UInt8]) throws -> [UInt8] {
    var value = data
    for tag in path {
      let objects = try #require(BERObject.list(value))
      value = try #require(objects.first { $0.tag == tag }).value
    }
    return value
  }
}
