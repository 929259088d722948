internal import COpenSSL

/// A standardised elliptic curve, with point arithmetic by OpenSSL (BSI TR-03111).
///
/// A point is its uncompressed encoding 04 ‖ x ‖ y; the point at infinity has no such encoding, so
/// it is an error as an input or a result.
package struct EllipticCurve: Sendable {
  package let name: StandardCurve
  /// The prime p of the field, `fieldLength` bytes.
  package let prime: [UInt8]
  /// The coefficient a, `fieldLength` bytes.
  package let a: [UInt8]
  /// The coefficient b, `fieldLength` bytes.
  package let b: [UInt8]
  package let generator: [UInt8]
  /// The order n of the base point, without leading zeros.
  package let order: [UInt8]
  /// Bytes of a field element: 24 to 66.
  package var fieldLength: Int { prime.count }

  /// - Throws: `CryptoError` if this OpenSSL lacks the curve.
  package init(_ name: StandardCurve) throws(CryptoError) {
    let group = try CurveGroup(name)
    self.name = name
    let length = (Int(EC_GROUP_get_degree(group.group)) + 7) / 8
    guard let p = BN_new(), let a = BN_new(), let b = BN_new() else { throw .fromQueue("BN_new") }
    defer {
      BN_free(p)
      BN_free(a)
      BN_free(b)
    }
    guard EC_GROUP_get_curve(group.group, p, a, b, group.context) == 1,
      let base = EC_GROUP_get0_generator(group.group),
      let order = EC_GROUP_get0_order(group.group)
    else { throw .fromQueue("EC_GROUP_get_curve") }
    prime = try Self.bytes(p, length)
    self.a = try Self.bytes(a, length)
    self.b = try Self.bytes(b, length)
    self.order = try Self.bytes(order, (Int(BN_num_bits(order)) + 7) / 8)
    generator = try group.encode(base)
  }

  /// True if these bytes encode a point on the curve.
  package func contains(_ point: [UInt8]) -> Bool {
    do throws(CryptoError) {
      let group = try CurveGroup(name)
      return try group.withPoint(point, fieldLength) { _ throws(CryptoError) in true }
    } catch {
      return false
    }
  }

  /// The multiple of a point; the scalar stays secret, including its leading zeros.
  package func multiply(
    _ point: [UInt8], by scalar: borrowing Secret
  ) throws(CryptoError) -> [UInt8] {
    let group = try CurveGroup(name)
    guard let number = BN_secure_new() else { throw .fromQueue("BN_new") }
    defer { BN_clear_free(number) }
    guard scalar.withBytes({ BN_bin2bn($0.baseAddress, CInt($0.count), number) }) != nil else {
      throw .fromQueue("BN_bin2bn")
    }
    return try group.withPoint(point, fieldLength) { point throws(CryptoError) in
      try group.result { EC_POINT_mul(group.group, $0, nil, point, number, group.context) }
    }
  }

  package func add(_ left: [UInt8], _ right: [UInt8]) throws(CryptoError) -> [UInt8] {
    let group = try CurveGroup(name)
    return try group.withPoint(left, fieldLength) { left throws(CryptoError) in
      try group.withPoint(right, fieldLength) { right throws(CryptoError) in
        try group.result { EC_POINT_add(group.group, $0, left, right, group.context) }
      }
    }
  }

  /// The x-coordinate of a multiple, with all its leading zeros: the shared secret of ECDH (TR-03111 §4.3.1).
  package func sharedSecret(
    _ point: [UInt8], by scalar: borrowing Secret
  ) throws(CryptoError) -> Secret {
    let product = try multiply(point, by: scalar)
    return Secret([UInt8](product.dropFirst().prefix(fieldLength)))
  }

  private static func bytes(_ number: OpaquePointer, _ length: Int) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    guard BN_bn2binpad(number, &bytes, CInt(length)) == CInt(length) else {
      throw .fromQueue("BN_bn2binpad")
    }
    return bytes
  }
}

/// Owner of OpenSSL's group and the workspace of one calculation.
private struct CurveGroup: ~Copyable {
  let group: OpaquePointer
  let context: OpaquePointer

  init(_ name: StandardCurve) throws(CryptoError) {
    guard let group = EC_GROUP_new_by_curve_name(name.nid), let context = BN_CTX_secure_new()
    else { throw .fromQueue("EC_GROUP_new_by_curve_name") }
    self.group = group
    self.context = context
  }

  deinit {
    EC_GROUP_free(group)
    BN_CTX_free(context)
  }

  /// Decodes a point; OpenSSL checks that it lies on the curve.
  func withPoint<Result>(
    _ encoded: [UInt8], _ fieldLength: Int,
    _ body: (OpaquePointer) throws(CryptoError) -> Result
  ) throws(CryptoError) -> Result {
    guard encoded.count == 1 + 2 * fieldLength, encoded.first == 0x04 else {
      throw CryptoError("elliptic curve", reason: "not an uncompressed point of this curve")
    }
    guard let point = EC_POINT_new(group) else { throw .fromQueue("EC_POINT_new") }
    defer { EC_POINT_clear_free(point) }
    guard EC_POINT_oct2point(group, point, encoded, encoded.count, context) == 1 else {
      throw .fromQueue("EC_POINT_oct2point")
    }
    return try body(point)
  }

  func result(_ operation: (OpaquePointer) -> CInt) throws(CryptoError) -> [UInt8] {
    guard let point = EC_POINT_new(group) else { throw .fromQueue("EC_POINT_new") }
    defer { EC_POINT_clear_free(point) }
    guard operation(point) == 1 else { throw .fromQueue("elliptic curve") }
    return try encode(point)
  }

  func encode(_ point: OpaquePointer) throws(CryptoError) -> [UInt8] {
    guard EC_POINT_is_at_infinity(group, point) == 0 else {
      throw CryptoError("elliptic curve", reason: "point at infinity")
    }
    let form = POINT_CONVERSION_UNCOMPRESSED
    var encoded = [UInt8](
      repeating: 0, count: EC_POINT_point2oct(group, point, form, nil, 0, context))
    guard !encoded.isEmpty,
      EC_POINT_point2oct(group, point, form, &encoded, encoded.count, context) == encoded.count
    else { throw .fromQueue("EC_POINT_point2oct") }
    return encoded
  }
}
