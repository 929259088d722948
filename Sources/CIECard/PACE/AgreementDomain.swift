/// Domain of a key agreement: numbers modulo a prime, or points of a curve (Doc 9303-11 §9.5.1).
///
/// Public values have the form on the wire: a number as long as p, or a point 04 ‖ x ‖ y.
enum AgreementDomain: Sendable {
  /// Diffie–Hellman in a prime-order subgroup.
  case finiteField(FiniteField)
  case curve(EllipticCurve)

  /// The standardised domain parameters with this number.
  ///
  /// - Returns: `nil` for an unassigned number.
  /// - Throws: `CryptoError` if this OpenSSL does not support them.
  init?(standardized number: Int) throws(CryptoError) {
    guard let number = UInt8(exactly: number) else { return nil }
    if let group = StandardGroup(rawValue: number) {
      self = .finiteField(try group.parameters())
    } else if let curve = StandardCurve(rawValue: number) {
      self = .curve(try EllipticCurve(curve))
    } else {
      return nil
    }
  }

  var method: KeyAgreementMethod {
    switch self {
    case .finiteField: .dh
    case .curve: .ecdh
    }
  }

  /// The standard generator of the parameters.
  var generator: [UInt8] {
    switch self {
    case .finiteField(let field): Self.padded(field.generator, to: field.prime.count)
    case .curve(let curve): curve.generator
    }
  }

  var order: [UInt8] {
    switch self {
    case .finiteField(let field): field.order
    case .curve(let curve): curve.order
    }
  }

  /// Raises a generator or public value to a scalar.
  func power(_ base: [UInt8], _ scalar: borrowing Secret) throws(CryptoError) -> [UInt8] {
    switch self {
    case .finiteField(let field):
      try ModularArithmetic.secretPower(base, scalar, modulus: field.prime)
    case .curve(let curve): try curve.multiply(base, by: scalar)
    }
  }

  /// The product of two elements; on a curve, their sum.
  func combine(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    switch self {
    case .finiteField(let field):
      try ModularArithmetic.multiply(left, right, modulus: field.prime)
    case .curve(let curve): try curve.add(left, right)
    }
  }

  /// The shared secret with all its leading zeros: as long as p, or the x-coordinate (Doc 9303-11 §9.7.1).
  func sharedSecret(
    _ publicValue: [UInt8], _ scalar: borrowing Secret
  ) throws(CryptoError) -> Secret {
    switch self {
    case .finiteField(let field):
      try ModularArithmetic.sharedSecret(publicValue, scalar, modulus: field.prime)
    case .curve(let curve): try curve.sharedSecret(publicValue, by: scalar)
    }
  }

  /// True if a value of the other side is safe to use: on the curve, or 1 < y < p − 1 and in the
  /// subgroup (Doc 9303-11 §9.5; NIST SP 800-56A §5.6.2.3). Numbers may be shorter than p.
  func isSafe(_ publicValue: [UInt8]) throws(CryptoError) -> Bool {
    switch self {
    case .curve(let curve):
      // Cofactor 1: every point of the curve is in the group.
      return curve.contains(publicValue)
    case .finiteField(let field):
      guard publicValue.count <= field.prime.count else { return false }
      return try field.contains(publicValue)
    }
  }

  /// True if a number can be hashed into the group; P-224 has no such encoding (Doc 9303-11 §9.5.1,
  /// table 6).
  var takesIntegratedMapping: Bool {
    switch self {
    case .finiteField: true
    case .curve(let curve): curve.name != .secp224r1
    }
  }

  /// True if two public values are equal in value.
  func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    ModularArithmetic.compare(left, right) == 0
  }

  private static func padded(_ number: [UInt8], to length: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, length - number.count)) + number
  }
}
