internal import CIECard

/// Integrated mapping: a generator computed from both nonces (Doc 9303-11 §4.4.3.3.2 and appendix
/// B).
struct IntegratedMapping {
  let suite: CipherSuite
  let group: AgreementGroup

  /// The mapped generator.
  ///
  /// - Parameters:
  ///   - nonce: s of the card, 16 or 32 bytes, at least as long as a key.
  ///   - terminalNonce: t, as long as a key.
  func generator(nonce: [UInt8], terminalNonce: [UInt8]) throws(CryptoError) -> [UInt8] {
    let number = try pseudoRandomNumber(nonce: nonce, terminalNonce: terminalNonce)
    switch group {
    case .field(let field):
      let cofactor = try ModularArithmetic.cofactor(of: field.prime, order: field.order)
      let mapped = try ModularArithmetic.power(number, cofactor, modulus: field.prime)
      guard ModularArithmetic.compare(mapped, field.one) > 0 else {
        throw CryptoError("integrated mapping", reason: "trivial generator")
      }
      return mapped
    case .curve(let curve):
      return try point(number, curve)
    }
  }

  /// R_p(s, t): the nonces stretched to 64 bits more than the prime, then reduced.
  private func pseudoRandomNumber(
    nonce: [UInt8], terminalNonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let constants = nonce.count == 16 ? Self.constants128 : Self.constants256
    guard constants.next.count == nonce.count else {
      throw CryptoError("integrated mapping", reason: "nonce length")
    }
    var key = try step(nonce, terminalNonce)
    var stretched: [UInt8] = []
    while stretched.count * 8 < group.prime.bitLength + 64 {
      stretched += try suite.encrypt(constants.output, key: Secret(key))
      key = try step(constants.next, key)
    }
    return try ModularArithmetic.reduce(stretched, modulus: group.prime)
  }

  private func step(_ text: [UInt8], _ key: [UInt8]) throws(CryptoError) -> [UInt8] {
    [UInt8](try suite.encrypt(text, key: Secret(key)).prefix(suite.keyLength))
  }

  /// Maps a field element to a point without a loop, for p ≡ 3 modulo 4 (Doc 9303-11 appendix B.2;
  /// Brier et al., "Efficient indifferentiable hashing into ordinary elliptic curves").
  private func point(_ t: [UInt8], _ curve: EllipticCurve) throws(CryptoError) -> [UInt8] {
    let p = curve.prime
    guard p.last.map({ $0 & 3 == 3 }) == true else {
      throw CryptoError("integrated mapping", reason: "p is not 3 modulo 4")
    }
    func times(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
      try ModularArithmetic.multiply(left, right, modulus: p)
    }
    func plus(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
      try ModularArithmetic.add(left, right, modulus: p)
    }
    let zero: [UInt8] = [0]
    let alpha = try ModularArithmetic.subtract(zero, times(t, t), modulus: p)
    let sum = try plus([1], ModularArithmetic.inverse(plus(alpha, times(alpha, alpha)), modulus: p))
    let minusB = try ModularArithmetic.subtract(zero, curve.b, modulus: p)
    let x2 = try times(times(minusB, ModularArithmetic.inverse(curve.a, modulus: p)), sum)
    let x3 = try times(alpha, x2)
    let h2 = try plus(plus(times(times(x2, x2), x2), times(curve.a, x2)), curve.b)
    let u = try times(times(times(t, t), t), h2)
    // A = h2^(p − 1 − (p + 1)/4); p − 1 − (p + 1)/4 = 3 (p − 3)/4 + 1, with (p − 3)/4 = p shifted right by two.
    let quarter = try ModularArithmetic.power(h2, Self.shiftedByTwo(p), modulus: p)
    let root = try times(times(times(quarter, quarter), quarter), h2)
    let isSquare = try ModularArithmetic.compare(times(times(root, root), h2), [1]) == 0
    let (x, y) = isSquare ? (x2, try times(root, h2)) : (x3, try times(root, u))
    let point = [0x04] + x + y
    guard curve.contains(point) else {
      throw CryptoError("integrated mapping", reason: "no point")
    }
    return point
  }

  private static func shiftedByTwo(_ number: [UInt8]) -> [UInt8] {
    var carry: UInt8 = 0
    return number.map { byte in
      defer { carry = byte << 6 }
      return byte >> 2 | carry
    }
  }

  /// c0 gives the next key, c1 the output (Doc 9303-11 appendix B.1).
  private typealias Constants = (next: [UInt8], output: [UInt8])

  private static let constants128: Constants = (
    HexText.decode("A668892A7C41E3CA739F40B057D85904"),
    HexText.decode("A4E136AC725F738B01C1F60217C188AD")
  )
  private static let constants256: Constants = (
    HexText.decode("D463D65234124EF7897054986DCA0A174E28DF758CBAA03F240616414D5A1676"),
    HexText.decode("54BD7255F0AAF831BEC3423FCF39D69B6CBF066677D0FAAE5AADD99DF8E53517")
  )
}
