@testable import CIECard

/// A card whose public value begins with a zero byte, as one in 256 does: it runs PACE with DH, generic mapping and
/// AES-128 up to its token, over the group of 1024 bits.
final class LeadingZeroCard {
  /// The form in which the card hashes and sends its public value.
  enum Form: CaseIterable {
    /// As long as the prime, Doc 9303-11 section 9.4.
    case whole
    /// Without its leading zeros.
    case short
  }

  static let identifier: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04, 0x01, 0x02]
  static let can = [UInt8]("314159".utf8)
  private static let cipher = SessionCipher.aes128
  private static let nonce = [UInt8](repeating: 0x5A, count: 16)
  private static let mappingScalar: [UInt8] = [0x07]

  private(set) var sent: [UInt8] = []
  private let form: Form
  private let field: FiniteField
  private var step = 0
  private var generator: [UInt8] = []
  private var terminalValue: [UInt8] = []
  private var secret: [UInt8] = []

  init(_ form: Form) throws(CryptoError) {
    self.form = form
    field = try StandardGroup.modp1024of160.parameters()
  }

  /// The answer to the next command: MSE:Set AT, then GENERAL AUTHENTICATE four times.
  func respond(to command: [UInt8]) throws -> [UInt8] {
    defer { step += 1 }
    if step == 0 { return [0x90, 0x00] }
    var template = TLVCursor(command.dropFirst(5).dropLast())
    let objects = try template.next(0x7C).contents.all()
    let value = objects.first?.bytes ?? []
    let answer =
      switch step {
      case 1: TLV.encode(0x80, try encryptedNonce())
      case 2: TLV.encode(0x82, try map(value))
      case 3: TLV.encode(0x84, try agree(value))
      default: try finish(value)
      }
    return answer.isEmpty ? [0x63, 0x00] : TLV.encode(0x7C, answer) + [0x90, 0x00]
  }

  private func encryptedNonce() throws(CryptoError) -> [UInt8] {
    let key = try SessionKeys.derivePasswordKey(from: Secret(Self.can), for: Self.cipher)
    return try Self.cipher.encrypt(secret: Secret(Self.nonce), key: key, iv: nil)
  }

  private func map(_ value: [UInt8]) throws(CryptoError) -> [UInt8] {
    generator = try ModularArithmetic.multiply(
      power(field.generator, Self.nonce), power(value, Self.mappingScalar), modulus: field.prime)
    return try power(field.generator, Self.mappingScalar)
  }

  /// The first suitable power of the generator.
  private func agree(_ value: [UInt8]) throws(CryptoError) -> [UInt8] {
    terminalValue = value
    var own = generator
    var scalar: UInt16 = 1
    while own.first != 0 {
      own = try ModularArithmetic.multiply(own, generator, modulus: field.prime)
      scalar += 1
    }
    secret = try power(value, [UInt8(scalar >> 8), UInt8(scalar & 0xFF)])
    sent = form == .whole ? own : [UInt8](own.drop { $0 == 0 })
    return sent
  }

  /// - Returns: the card's token; empty when the terminal's is wrong.
  private func finish(_ token: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard try token == self.token(over: sent) else { return [] }
    return TLV.encode(0x86, try self.token(over: terminalValue))
  }

  private func token(over value: [UInt8]) throws(CryptoError) -> [UInt8] {
    let keys = try SessionKeys.derive(
      from: Secret(secret), for: Self.cipher, hash: Self.cipher.derivationHash)
    return try AuthenticationToken.compute(
      over: value, method: .dh, protocol: Self.identifier, keys: keys)
  }

  private func power(_ base: [UInt8], _ exponent: [UInt8]) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.power(base, exponent, modulus: field.prime)
  }
}
