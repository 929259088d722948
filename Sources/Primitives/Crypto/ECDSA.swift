/// ECDSA in the plain format r ‖ s, each as long as the order (BSI TR-03111 §4.2, §5.2.1), over a
/// precomputed hash value.
package enum ECDSA {
  /// Verifies a signature with a public key.
  ///
  /// - Parameters:
  ///   - signature: r ‖ s.
  ///   - digest: the hash value; if it is longer than the order, only its leftmost bits count.
  ///   - publicKey: a point of the curve.
  /// - Returns: `false` as well if a length or a range does not match.
  package static func verify(
    _ signature: [UInt8], digest: [UInt8], publicKey: [UInt8], curve: EllipticCurve
  ) -> Bool {
    let order = curve.order
    guard signature.count == 2 * order.count else { return false }
    let r = [UInt8](signature.prefix(order.count))
    let s = [UInt8](signature.suffix(order.count))
    guard isScalar(r, below: order), isScalar(s, below: order), curve.contains(publicKey) else {
      return false
    }
    do throws(CryptoError) {
      let e = try number(of: digest, order: order)
      let inverse = try ModularArithmetic.inverse(s, modulus: order)
      let u1 = try ModularArithmetic.multiply(e, inverse, modulus: order)
      let u2 = try ModularArithmetic.multiply(r, inverse, modulus: order)
      var point = try curve.multiply(publicKey, by: Secret(u2))
      // u1 = 0 only for a digest of zero; its multiple has no encoding and adds nothing.
      if u1.bitLength > 0 {
        point = try curve.add(point, curve.multiply(curve.generator, by: Secret(u1)))
      }
      return try ModularArithmetic.reduce(x(of: point, curve), modulus: order) == r
    } catch {
      return false
    }
  }

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

  private static func isScalar(_ value: [UInt8], below order: [UInt8]) -> Bool {
    value.bitLength > 0 && ModularArithmetic.compare(value, order) < 0
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
