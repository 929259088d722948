internal import COpenSSL

/// The prime-order subgroups of finite fields among the standardised domain parameters, by their numbers (Doc
/// 9303-11 §9.5.1, table 6; RFC 5114 §2.1–2.3).
package enum StandardGroup: UInt8, Sendable, CaseIterable {
  /// 1024-bit field, 160-bit subgroup.
  case modp1024of160 = 0
  /// 2048-bit field, 224-bit subgroup.
  case modp2048of224 = 1
  /// 2048-bit field, 256-bit subgroup: that of the CIE.
  case modp2048of256 = 2

  /// The numbers, from OpenSSL.
  package func parameters() throws(CryptoError) -> FiniteField {
    let numbers =
      switch self {
      case .modp1024of160: DH_get_1024_160()
      case .modp2048of224: DH_get_2048_224()
      case .modp2048of256: DH_get_2048_256()
      }
    guard let numbers else { throw .fromQueue("DH_get") }
    defer { DH_free(numbers) }
    return FiniteField(
      prime: try Self.bytes(DH_get0_p(numbers)), generator: try Self.bytes(DH_get0_g(numbers)),
      order: try Self.bytes(DH_get0_q(numbers)))
  }

  private static func bytes(_ number: OpaquePointer?) throws(CryptoError) -> [UInt8] {
    guard let number else { throw .fromQueue("DH_get0") }
    var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
    guard BN_bn2bin(number, &bytes) == CInt(bytes.count) else { throw .fromQueue("BN_bn2bin") }
    return bytes
  }
}

/// Domain parameters of Diffie–Hellman in a finite field: big-endian numbers without leading zeros.
package struct FiniteField: Sendable, Equatable {
  package let prime: [UInt8]
  package let generator: [UInt8]
  /// The order q of the subgroup.
  package let order: [UInt8]

  /// Domain parameters without any check.
  package init(prime: [UInt8], generator: [UInt8], order: [UInt8]) {
    self.prime = prime
    self.generator = generator
    self.order = order
  }

  /// True if a number is in the subgroup and not trivial: 1 < y < p − 1 and y^q = 1 (NIST SP 800-56A
  /// §5.6.2.3.1).
  package func contains(_ number: [UInt8]) throws(CryptoError) -> Bool {
    var highest = prime
    highest[highest.endIndex - 1] &= 0xFE
    guard ModularArithmetic.compare(number, [1]) > 0,
      ModularArithmetic.compare(number, highest) < 0
    else { return false }
    let power = try ModularArithmetic.power(number, order, modulus: prime)
    return ModularArithmetic.compare(power, [1]) == 0
  }
}
