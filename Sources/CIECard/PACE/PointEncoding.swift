/// Maps a number to a point of a curve in a fixed number of steps (Doc 9303-11 appendix B.2; the
/// simplified method of Shallue, van de Woestijne and Ulas). It requires p ≡ 3 modulo 4, which
/// holds for all curves except P-224.
struct PointEncoding {
  private let curve: EllipticCurve

  /// - Throws: `CryptoError` for a curve without support for the method.
  init(_ curve: EllipticCurve) throws(CryptoError) {
    guard let last = curve.prime.last, last & 3 == 3 else {
      throw CryptoError("integrated mapping", reason: "not on this curve")
    }
    self.curve = curve
  }

  /// - Returns: 04 ‖ x ‖ y; `nil` if the result is not on the curve.
  func point(for number: [UInt8]) throws(CryptoError) -> [UInt8]? {
    let zero = [UInt8]()
    let square = try multiply(number, number)
    let alpha = try subtract(zero, square)
    // X2 = −b · a⁻¹ · (1 + (α + α²)⁻¹)
    let sum = try add(alpha, multiply(alpha, alpha))
    let bracket = try add([1], inverse(sum))
    let quotient = try multiply(subtract(zero, curve.b), inverse(curve.a))
    let x2 = try multiply(quotient, bracket)
    let x3 = try multiply(alpha, x2)
    let h2 = try rightSide(x2)
    let u = try multiply(multiply(square, number), h2)
    // A = h2^(p − 1 − (p + 1) / 4), which is the inverse of h2^((p + 1) / 4).
    let root = try inverse(
      ModularArithmetic.power(h2, quarterOfPrimePlusOne, modulus: curve.prime))
    let isSquare = try multiply(multiply(root, root), h2).withoutLeadingZeros == [1]
    let point =
      isSquare
      ? try [0x04] + x2 + multiply(root, h2) : try [0x04] + x3 + multiply(root, u)
    return curve.contains(point) ? point : nil
  }

  /// x³ + a · x + b.
  private func rightSide(_ x: [UInt8]) throws(CryptoError) -> [UInt8] {
    let cube = try multiply(multiply(x, x), x)
    return try add(add(cube, multiply(curve.a, x)), curve.b)
  }

  /// (p + 1) / 4: p ends in the bits 11, so it is p shifted by two bits, plus one.
  private var quarterOfPrimePlusOne: [UInt8] {
    var carry: UInt8 = 0
    var result = curve.prime.map { byte in
      defer { carry = byte << 6 }
      return byte >> 2 | carry
    }
    for index in result.indices.reversed() {
      result[index] &+= 1
      if result[index] != 0 { break }
    }
    return result
  }

  private func multiply(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.multiply(left, right, modulus: curve.prime)
  }

  private func add(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.add(left, right, modulus: curve.prime)
  }

  private func subtract(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.subtract(left, right, modulus: curve.prime)
  }

  private func inverse(_ value: [UInt8]) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.inverse(value, modulus: curve.prime)
  }
}
