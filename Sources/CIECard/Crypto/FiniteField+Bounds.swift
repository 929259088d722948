extension FiniteField {
  /// The bits of a prime that a card may bring. Above, one exponentiation takes a noticeable part of a second.
  private static let primeBits = 1024...4096
  /// The fewest bits of a subgroup's order (RFC 5114 §2.1 has the smallest in use).
  private static let leastOrderBits = 160

  /// Domain parameters that a card brings along: those of a standardised group where they are its, else bounded so
  /// that calculating with them takes no time worth naming and is no trap.
  ///
  /// Whether p is prime is not tested: where it matters the state has signed the parameters.
  ///
  /// - Parameters:
  ///   - prime: p, big-endian without leading zero bytes, as the others.
  ///   - generator: g, 2 ≤ g ≤ p − 2, and g^q = 1.
  ///   - order: q, at most as long as p; `nil` where the form has none, as PKCS #3.
  /// - Returns: `nil` for parameters out of bounds.
  init?(
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
    // Without the subgroup's order the exponents range below p − 1, by which every number's order divides.
    let order = order ?? largest
    guard order.bitLength >= Self.leastOrderBits, ModularArithmetic.compare(order, prime) < 0,
      ModularArithmetic.compare(generator, [1]) > 0,
      ModularArithmetic.compare(generator, largest) < 0
    else { return nil }
    let power = try ModularArithmetic.power(generator, order, modulus: prime)
    guard ModularArithmetic.compare(power, [1]) == 0 else { return nil }
    self.init(prime: prime, generator: generator, order: order)
  }
}
