internal import CIECard

/// Standardised domain parameters (Doc 9303-11 §9.5.1) of PACE and chip authentication.
///
/// A public value has the form on the wire: a number as long as the prime, or a point 04 ‖ x ‖ y.
enum AgreementGroup {
  /// A subgroup of prime order in a finite field.
  case field(DomainParameters)
  case curve(EllipticCurve)

  /// The parameters with this standardised number: 0 to 2 or 8 to 18.
  ///
  /// - Returns: nil if the standard has none, or OpenSSL lacks the curve.
  init?(parameterIdentifier: UInt8) {
    if let field = DomainParameters(standardised: parameterIdentifier) {
      self = .field(field)
      return
    }
    guard let name = StandardCurve(rawValue: parameterIdentifier) else { return nil }
    do throws(CryptoError) { self = .curve(try EllipticCurve(name)) } catch { return nil }
  }

  var kind: Kind {
    switch self {
    case .field: .finiteField
    case .curve: .ellipticCurve
    }
  }

  /// The raw value is the tag of a public value in 7F49 (Doc 9303-11 §9.4).
  enum Kind: UInt32 {
    case finiteField = 0x84
    case ellipticCurve = 0x86
  }

  var generator: [UInt8] { numbers.generator }
  var order: [UInt8] { numbers.order }
  var prime: [UInt8] { numbers.prime }

  private var numbers: (generator: [UInt8], order: [UInt8], prime: [UInt8]) {
    switch self {
    case .field(let field): (field.generator, field.order, field.prime)
    case .curve(let curve): (curve.generator, curve.order, curve.prime)
    }
  }

  /// True if the card accepts a value of the terminal: on the curve, or in the subgroup and neither
  /// 1 nor p − 1 (Doc 9303-11 §4.4.3.3; RFC 2631 §2.1.5). Leading zeros may be missing.
  func accepts(_ value: [UInt8]) -> Bool {
    switch self {
    case .curve(let curve):
      return curve.contains(value)
    case .field(let field):
      guard value.count <= field.prime.count,
        ModularArithmetic.compare(value, field.one) > 0,
        ModularArithmetic.compare(value, field.minusOne) < 0
      else { return false }
      do throws(CryptoError) {
        return try ModularArithmetic.power(value, field.order, modulus: field.prime) == field.one
      } catch { return false }
    }
  }

  /// Applies a scalar to a generator or any other value: a multiple or a power.
  func apply(_ scalar: [UInt8], to value: [UInt8]) throws(CryptoError) -> [UInt8] {
    switch self {
    case .field(let field):
      try ModularArithmetic.secretPower(value, Secret(scalar), modulus: field.prime)
    case .curve(let curve):
      try curve.multiply(value, by: Secret(scalar))
    }
  }

  /// The group operation: the product modulo p, or the sum of two points.
  func combine(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    switch self {
    case .field(let field):
      try ModularArithmetic.multiply(left, right, modulus: field.prime)
    case .curve(let curve):
      try curve.add(left, right)
    }
  }

  /// The key derivation's input from a common value: the whole number, or the x-coordinate of a
  /// point.
  func sharedSecret(_ common: [UInt8]) -> [UInt8] {
    switch self {
    case .field: common
    case .curve(let curve): [UInt8](common.dropFirst().prefix(curve.fieldLength))
    }
  }

  /// A private key: random, not zero, below the order. The bytes of the source are the number
  /// itself, so that a recorded source reproduces the key.
  func scalar(from random: inout some RandomSource) throws(CryptoError) -> [UInt8] {
    let excess = order.count * 8 - order.bitLength
    // Each try succeeds with a probability above one half.
    for _ in 0..<128 {
      var scalar = try random.bytes(order.count)
      if let first = scalar.first { scalar[0] = first & 0xFF >> UInt8(excess) }
      if scalar.bitLength > 0, ModularArithmetic.compare(scalar, order) < 0 { return scalar }
    }
    throw CryptoError("private key", reason: "the random source gives none")
  }
}
