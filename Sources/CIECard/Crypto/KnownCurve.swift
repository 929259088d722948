internal import COpenSSL

/// The elliptic curves that documents and their certificates are believed on.
///
/// Most CSCAs write the numbers of their curve into the certificate instead of its name (Doc 9303-12 §4.4,
/// TR-03111 §5). Whoever may choose these numbers can make a curve, or a generator, on which a signature by
/// somebody else's public key can be forged (CVE-2020-0601). So p, a, b, generator, order and cofactor are all
/// compared with those of the `StandardCurve`s, and any other curve is refused, however right it looks.
enum KnownCurve {
  /// Whether a key is on one of the known curves, or no elliptic-curve key at all.
  ///
  /// - Parameter key: OpenSSL's key; `nil`, for a key that it could not read, is not.
  static func isKnown(of key: OpaquePointer?) -> Bool {
    defer { ERR_clear_error() }
    guard let key else { return false }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return true }
    guard let parameters = Parameters(of: key) else { return false }
    return StandardCurve.allCases.contains { parameters.areThose(of: $0.nid) }
  }

  /// The domain parameters of a key, as numbers.
  private struct Parameters: ~Copyable {
    /// p, a, b, order and cofactor.
    private let numbers: [OpaquePointer]
    /// The encoded generator.
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
