internal import COpenSSL

/// Further operations modulo a public number, for the mappings of PACE and for ECDSA. The values
/// are public or ephemeral; only operations that OpenSSL implements in constant time are so here.
extension ModularArithmetic {
  /// `left · right` modulo `modulus`, as long as the modulus.
  package static func multiply(
    _ left: [UInt8], _ right: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(left, right, modulus) { BN_mod_mul($0, $1, $2, $3, $4) }
  }

  /// `left + right` modulo `modulus`, as long as the modulus.
  package static func add(
    _ left: [UInt8], _ right: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(left, right, modulus) { BN_mod_add($0, $1, $2, $3, $4) }
  }

  /// `left − right` modulo `modulus`, never negative, as long as the modulus.
  package static func subtract(
    _ left: [UInt8], _ right: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(left, right, modulus) { BN_mod_sub($0, $1, $2, $3, $4) }
  }

  /// `value` modulo `modulus`, as long as the modulus.
  package static func reduce(
    _ value: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(value, [], modulus) { result, value, _, modulus, context in
      BN_nnmod(result, value, modulus, context)
    }
  }

  /// The number whose product with `value` is 1 modulo `modulus`, as long as the modulus.
  ///
  /// - Throws: `CryptoError` if there is none.
  package static func inverse(
    _ value: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(value, [], modulus) { result, value, _, modulus, context in
      BN_mod_inverse(result, value, modulus, context) == nil ? 0 : 1
    }
  }

  /// The quotient of (`value` − 1) and `divisor`, which must divide it exactly: the cofactor (p −
  /// 1) / q of a subgroup.
  package static func cofactor(
    of modulus: [UInt8], order: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try calculate(modulus, order, modulus) { result, modulus, order, _, context in
      guard let rest = BN_new() else { return 0 }
      defer { BN_free(rest) }
      guard BN_sub_word(modulus, 1) == 1, BN_div(result, rest, modulus, order, context) == 1
      else { return 0 }
      return BN_is_zero(rest)
    }
  }

  private typealias Operation = (
    _ result: OpaquePointer, _ left: OpaquePointer, _ right: OpaquePointer,
    _ modulus: OpaquePointer, _ context: OpaquePointer
  ) -> CInt

  private static func calculate(
    _ left: [UInt8], _ right: [UInt8], _ modulus: [UInt8], _ operation: Operation
  ) throws(CryptoError) -> [UInt8] {
    let numbers = try Numbers()
    guard BN_bin2bn(left, CInt(left.count), numbers.base) != nil,
      BN_bin2bn(right, CInt(right.count), numbers.exponent) != nil,
      BN_bin2bn(modulus, CInt(modulus.count), numbers.modulus) != nil,
      operation(
        numbers.result, numbers.base, numbers.exponent, numbers.modulus, numbers.context) == 1
    else { throw .fromQueue("modular arithmetic") }
    var result = [UInt8](repeating: 0, count: modulus.count)
    guard BN_bn2binpad(numbers.result, &result, CInt(result.count)) == CInt(result.count) else {
      throw .fromQueue("BN_bn2binpad")
    }
    return result
  }
}

extension FiniteField {
  /// Accepted size of a prime from a card, in bits. Beyond it, one exponentiation takes a
  /// noticeable part of a second.
  private static let primeBits = 1024...4096
  /// Minimum size of a subgroup's order in bits (RFC 5114 §2.1 has the smallest in use).
  private static let leastOrderBits = 160

  /// Domain parameters from a card: those of a standardised group if they match one, otherwise
  /// limited so that calculations with them are fast and safe.
  ///
  /// Primality of p is not tested: where it matters, the state has signed the parameters.
  ///
  /// - Parameters:
  ///   - prime: p, big-endian without leading zero bytes, as the others.
  ///   - generator: g, 2 ≤ g ≤ p − 2, and g^q = 1.
  ///   - order: q, at most as long as p; `nil` if the form has none, as in PKCS #3.
  /// - Returns: `nil` for parameters outside the limits.
  package init?(
    bounding prime: [UInt8], generator: [UInt8], order: [UInt8]?
  ) throws(CryptoError) {
    for group in StandardGroup.allCases {
      let known = try group.parameters()
      if known.prime == prime, known.generator == generator, order ?? known.order == known.order {
        self = known
        return
      }
    }
    guard Self.primeBits.contains(prime.bitLength), prime.isOdd else { return nil }
    var largest = prime
    largest[largest.endIndex - 1] &= 0xFE
    // Without the subgroup's order, exponents range below p − 1, a multiple of the order of every
    // element.
    let order = order ?? largest
    guard order.bitLength >= Self.leastOrderBits, ModularArithmetic.compare(order, prime) < 0
    else { return nil }
    self.init(prime: prime, generator: generator, order: order)
    guard try contains(generator) else { return nil }
  }
}
