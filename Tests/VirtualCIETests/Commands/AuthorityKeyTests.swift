import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The CA key that each persona publishes for the one private exponent of every host.
@Suite struct AuthorityKeyTests {
  /// 6A ‖ 55 … 55 ‖ BC, framed like a terminal certificate (ISO/IEC 9796-2).
  private let block = [0x6A] + [UInt8](repeating: 0x55, count: 254) + [0xBC]

  /// Answers of 305 bytes, two pieces, are those of a real card; 560 bytes and three pieces are for hosts without a
  /// fixed length.
  @Test(arguments: [
    ("gemalto", 3, 305, 2, 0x81), ("gemalto2", 256, 560, 3, 0x81), ("nxp", 1, 303, 2, 0x81),
    ("st", 2, 304, 2, 0x81), ("itj4", 3, 305, 2, 0x5F20), ("unknown", 2, 304, 2, 0x5F4C),
  ])
  func sizesAndOrder(
    identifier: String, exponent: Int, answer: Int, pieces: Int, first: UInt32
  ) throws {
    let persona = try #require(Persona.named(identifier))
    #expect(persona.terminalAuthority.exponent.count == exponent)
    var terminal = TestTerminal(persona)
    try terminal.open()
    let before = terminal.card.log.entries.count
    let object = try terminal.expect("00CB3FFF0B4D097007BFA004037F4980")
    #expect(object.count == answer)
    #expect(terminal.card.log.entries.count - before == pieces)
    let key = BERObject.single(0x70, object)
      .flatMap { BERObject.single(0xBFA004, $0.value) }
      .flatMap { BERObject.single(0x7F49, $0.value) }
    let members = try #require(key.flatMap { BERObject.list($0.value) })
    #expect(members.first?.tag == first)
    #expect(Set(members.map(\.tag)) == [0x81, 0x82, 0x5F20, 0x5F4C])
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func opensWhatTheHostExponentSigns(_ identifier: String) throws {
    let authority = try #require(Persona.named(identifier)).terminalAuthority
    let signed = try ModularArithmetic.power(
      block, TerminalKey.authorityExponent, modulus: authority.modulus)
    #expect(signed != block)
    #expect(
      try ModularArithmetic.power(signed, authority.exponent, modulus: authority.modulus) == block)
  }

  /// A short exponent e matches the host's d if n = (e·d − 1) / k + 1 is prime: then e·d = k·(n − 1) + 1.
  @Test(arguments: [
    ("gemalto", 65829, 11906), ("nxp", 77, 9), ("st", 4289, 680), ("itj4", 65829, 11906),
    ("unknown", 4289, 680),
  ])
  func shortExponentFitsByConstruction(identifier: String, e: Int, k: Int) throws {
    let authority = try #require(Persona.named(identifier)).terminalAuthority
    #expect(authority.exponent.reduce(0) { $0 << 8 | Int($1) } == e)
    #expect(authority.modulus.count == 256)
    let top = try #require(authority.modulus.first)
    let last = try #require(authority.modulus.last)
    try #require(top >= 0x80 && last & 1 == 1, "2048 bits, odd")
    let order = authority.modulus.dropLast() + [last - 1]
    #expect(product(order, k, plus: 1) == product(TerminalKey.authorityExponent, e, plus: 0))
    // Fermat: of a prime n, 2 to the power of n − 1 is 1.
    let two = [UInt8](repeating: 0, count: 255) + [2]
    let one = [UInt8](repeating: 0, count: 255) + [1]
    #expect(
      try ModularArithmetic.power(two, [UInt8](order), modulus: authority.modulus) == one)
  }

  /// number · factor + addend, four bytes longer than the number.
  private func product(_ number: some Collection<UInt8>, _ factor: Int, plus addend: Int) -> [UInt8]
  {
    var carry = addend
    var digits: [UInt8] = []
    for digit in Array(number).reversed() + [0, 0, 0, 0] {
      carry += Int(digit) * factor
      digits.append(UInt8(carry & 0xFF))
      carry >>= 8
    }
    return digits.reversed()
  }

  /// Published values of the short-exponent construction, e = 65829.
  @Test func shortExponentTestValues() throws {
    let authority = Persona.gemalto.terminalAuthority
    #expect(authority.exponent == [0x01, 0x01, 0x25])
    let modulusHash = try HashAlgorithm.sha256.hash(authority.modulus)
    #expect(
      Hex.text(modulusHash) == "D7EF0A6E4068087EBB9673B2E9B2A187EF621C8A49AFEDA14EC1ADB80C6D60ED")
    let signed = try ModularArithmetic.power(
      block, TerminalKey.authorityExponent, modulus: authority.modulus)
    let signedHash = try HashAlgorithm.sha256.hash(signed)
    #expect(
      Hex.text(signedHash) == "7A6158BAE7574F7D1481949555D37B57EC698021C4EB3B0B62899405A879F8EF")
  }
}
