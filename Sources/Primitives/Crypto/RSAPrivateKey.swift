/// An RSA private key in its second representation (RFC 8017 §3.2): the operation takes a third of the time.
package struct RSAPrivateKey: Sendable {
  package let modulus: [UInt8]
  /// p, q, dP, dQ, qInv; another number of parts is no key.
  package let parts: [[UInt8]]

  package init(modulus: [UInt8], parts: [[UInt8]]) {
    self.modulus = modulus
    self.parts = parts
  }

  /// The raw private operation, without padding (RSASP1, RFC 8017 §5.2.1).
  package func apply(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard parts.count == 5 else { throw CryptoError("RSA", reason: "no private key") }
    let (p, q, inverse) = (parts[0], parts[1], parts[4])
    let first = try ModularArithmetic.secretPower(block, Secret(parts[2]), modulus: p)
    let second = try ModularArithmetic.secretPower(block, Secret(parts[3]), modulus: q)
    let factor = try ModularArithmetic.multiply(
      ModularArithmetic.subtract(first, second, modulus: p), inverse, modulus: p)
    return try ModularArithmetic.add(
      second, ModularArithmetic.multiply(factor, q, modulus: modulus), modulus: modulus)
  }
}
