internal import COpenSSL

/// The elliptic curves of the standardised domain parameters, by their numbers (Doc 9303-11 §9.5.1, table 6; BSI
/// TR-03110-3 §A.2.1.1). All have cofactor 1.
package enum StandardCurve: UInt8, Sendable, CaseIterable {
  /// NIST P-192.
  case secp192r1 = 8
  /// BrainpoolP192r1 (RFC 5639), as the others of that name.
  case brainpoolP192r1 = 9
  /// NIST P-224.
  case secp224r1 = 10
  case brainpoolP224r1 = 11
  /// NIST P-256.
  case secp256r1 = 12
  case brainpoolP256r1 = 13
  case brainpoolP320r1 = 14
  /// NIST P-384.
  case secp384r1 = 15
  case brainpoolP384r1 = 16
  case brainpoolP512r1 = 17
  /// NIST P-521.
  case secp521r1 = 18

  /// The curve with this object identifier, given as the content octets of its encoding.
  package init?(objectIdentifier octets: [UInt8]) {
    let found = Self.allCases.first { curve in
      guard let object = OBJ_nid2obj(curve.nid), let data = OBJ_get0_data(object) else {
        return false
      }
      return octets.elementsEqual(UnsafeBufferPointer(start: data, count: OBJ_length(object)))
    }
    guard let found else { return nil }
    self = found
  }

  /// OpenSSL's number of the curve.
  var nid: CInt {
    switch self {
    case .secp192r1: NID_X9_62_prime192v1
    case .brainpoolP192r1: NID_brainpoolP192r1
    case .secp224r1: NID_secp224r1
    case .brainpoolP224r1: NID_brainpoolP224r1
    case .secp256r1: NID_X9_62_prime256v1
    case .brainpoolP256r1: NID_brainpoolP256r1
    case .brainpoolP320r1: NID_brainpoolP320r1
    case .secp384r1: NID_secp384r1
    case .brainpoolP384r1: NID_brainpoolP384r1
    case .brainpoolP512r1: NID_brainpoolP512r1
    case .secp521r1: NID_secp521r1
    }
  }
}

/// The elliptic curves accepted for documents and their certificates.
///
/// Most CSCAs write the numbers of their curve into the certificate instead of its name (Doc
/// 9303-12 §4.4, TR-03111 §5). An attacker who can choose these numbers can construct a curve, or a
/// generator, on which signatures for another party's public key can be forged (CVE-2020-0601). So
/// p, a, b, generator, order and cofactor are all compared with those of the `StandardCurve`s, and
/// any other curve is refused, even if it looks right.
package enum KnownCurve {
  /// True if a key is on one of the known curves, or is not an elliptic-curve key.
  ///
  /// - Parameter key: OpenSSL's key; `nil`, for a key that it could not read, gives false.
  package static func isKnown(of key: OpaquePointer?) -> Bool {
    defer { CryptoError.clearQueue() }
    guard let key else { return false }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return true }
    guard let parameters = Parameters(of: key) else { return false }
    return StandardCurve.allCases.contains { parameters.areThose(of: $0.nid) }
  }

  /// The domain parameters of a key, as numbers.
  private struct Parameters: ~Copyable {
    /// p, a, b, order and cofactor.
    private let numbers: [OpaquePointer]
    private let generator: [UInt8]

    /// The longest generator of a known curve: `04`, and two coordinates of 521 bits.
    private static let longestGenerator = 1 + 2 * 66

    init?(of key: OpaquePointer) {
      var encoded = [UInt8](repeating: 0, count: Self.longestGenerator)
      var length = 0
      guard
        EVP_PKEY_get_octet_string_param(key, "generator", &encoded, encoded.count, &length) == 1
      else { return nil }
      var found: [OpaquePointer] = []
      for name in ["p", "a", "b", "order", "cofactor"] {
        var number: OpaquePointer?
        if EVP_PKEY_get_bn_param(key, name, &number) == 1, let number { found.append(number) }
      }
      guard found.count == 5 else {
        found.forEach { BN_free($0) }
        return nil
      }
      numbers = found
      generator = [UInt8](encoded.prefix(length))
    }

    deinit { numbers.forEach { BN_free($0) } }

    borrowing func areThose(of curve: CInt) -> Bool {
      guard let group = EC_GROUP_new_by_curve_name(curve) else { return false }
      defer { EC_GROUP_free(group) }
      let field = (0..<3).compactMap { _ in BN_new() }
      defer { field.forEach { BN_free($0) } }
      guard field.count == 3, EC_GROUP_get_curve(group, field[0], field[1], field[2], nil) == 1,
        let order = EC_GROUP_get0_order(group), let cofactor = EC_GROUP_get0_cofactor(group),
        zip(numbers, field + [order, cofactor]).allSatisfy({ BN_cmp($0, $1) == 0 }),
        let point = EC_POINT_new(group)
      else { return false }
      defer { EC_POINT_free(point) }
      return EC_POINT_oct2point(group, point, generator, generator.count, nil) == 1
        && EC_POINT_cmp(group, point, EC_GROUP_get0_generator(group), nil) == 0
    }
  }
}
