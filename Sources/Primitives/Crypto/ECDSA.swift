/// ECDSA in the plain format r ‖ s, each as long as the order (BSI TR-03111 §4.2, §5.2.1), over a
/// precomputed hash value.
package enum ECDSA {
  /// Signs a hash value; for the software card.
  ///
  /// - Parameters:
  ///   - scalar: the private key.
  ///   - nonce: 1 ≤ k < n, random and never used before.
  /// - Returns: r ‖ s.
  package static func sign(
    digest: [UInt8], scalar: borrowing Secret, nonce: borrowing Secret, curve: EllipticCurve
  ) throws(CryptoError) -> [UInt8] {
    let order = curve.order
    let point = try curve.multiply(curve.generator, by: nonce)
    let r = try ModularArithmetic.reduce(x(of: point, curve), modulus: order)
    let key = scalar.withBytes { [UInt8]($0) }
    let product = try ModularArithmetic.multiply(r, key, modulus: order)
    let sum = try ModularArithmetic.add(
      number(of: digest, order: order), product, modulus: order)
    let inverse = try ModularArithmetic.inverse(nonce.withBytes { [UInt8]($0) }, modulus: order)
    let s = try ModularArithmetic.multiply(inverse, sum, modulus: order)
    guard r.bitLength > 0, s.bitLength > 0 else { throw CryptoError("ECDSA", reason: "nonce") }
    return r + s
  }

  private static func x(of point: [UInt8], _ curve: EllipticCurve) -> [UInt8] {
    [UInt8](point.dropFirst().prefix(curve.fieldLength))
  }

  /// The leftmost bits of a digest, as many as the order has, as a number (FIPS 186-4 §6.4).
  private static func number(
    of digest: [UInt8], order: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let bits = order.bitLength
    var bytes = [UInt8](digest.prefix((bits + 7) / 8))
    let excess = bytes.count * 8 - bits
    if excess > 0 {
      var carry: UInt8 = 0
      for index in bytes.indices {
        let byte = bytes[index]
        bytes[index] = byte >> UInt8(excess) | carry
        carry = byte << UInt8(8 - excess)
      }
    }
    return try ModularArithmetic.reduce(bytes, modulus: order)
  }
}

/// The encodings of an ECDSA signature, a pair of numbers.
package enum ECDSASignature {
  /// The DER encoding of a plain signature: r ‖ s, each as long as the order (BSI TR-03111 §5.2.1.1).
  ///
  /// - Returns: nil for another length.
  package static func encoded(plain signature: [UInt8], orderLength: Int) -> [UInt8]? {
    guard signature.count == 2 * orderLength else { return nil }
    return encoded(
      [UInt8](signature.prefix(orderLength)), [UInt8](signature.dropFirst(orderLength)))
  }

  /// `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 §2.2.3) of two big-endian numbers.
  package static func encoded(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    TLV.encode(DER.sequence, [integer(r), integer(s)])
  }

  /// An INTEGER that is not negative, with the fewest bytes (ISO/IEC 8825-1 §8.3).
  private static func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = number.withoutLeadingZeros
    let isNegative = digits.first.map { $0 & 0x80 != 0 } ?? true
    return TLV.encode(DER.integer, (isNegative ? [0] : []) + digits)
  }
}
