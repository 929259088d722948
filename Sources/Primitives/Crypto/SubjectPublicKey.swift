internal import COpenSSL

/// A public key from a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), as an OpenSSL object.
package struct SubjectPublicKey: ~Copyable {
  private let key: OpaquePointer

  package enum Kind {
    case rsa(RSAPublicKey)
    /// A key on one of the known curves, with the length of its order in bytes.
    case curve(orderLength: Int)
    /// A key of another kind, on an unknown curve, or an RSA key of unusable size; the short name of the curve, or that of the
    /// algorithm, or its object identifier.
    case other(algorithm: String)
  }

  /// - Returns: `nil` if the input is not exactly such a structure, or holds no key that OpenSSL
  ///   can read.
  package init?(_ encoded: [UInt8]) {
    defer { CryptoError.clearQueue() }
    guard let (parsed, length) = parsedPrefix(of: encoded, by: d2i_PUBKEY) else { return nil }
    guard length == encoded.count else {
      EVP_PKEY_free(parsed)
      return nil
    }
    key = parsed
  }

  package borrowing func kind() -> Kind {
    defer { CryptoError.clearQueue() }
    let identifier = EVP_PKEY_get_base_id(key)
    if identifier == EVP_PKEY_RSA, let rsa = RSAPublicKey(evp: key) { return .rsa(rsa) }
    var order: OpaquePointer?
    if identifier == EVP_PKEY_EC, KnownCurve.isKnown(of: key),
      EVP_PKEY_get_bn_param(key, "order", &order) == 1, let order
    {
      defer { BN_free(order) }
      return .curve(orderLength: (Int(BN_num_bits(order)) + 7) / 8)
    }
    if identifier == EVP_PKEY_EC, let name = curveName() { return .other(algorithm: name) }
    return .other(algorithm: OBJ_nid2sn(identifier).map { String(cString: $0) } ?? "")
  }

  /// The name of the key's curve; nil for one of numbers that have no name.
  private borrowing func curveName() -> String? {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1, length > 0 else {
      return nil
    }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// - Parameters:
  ///   - signature: `SEQUENCE { r INTEGER, s INTEGER }` in DER (RFC 3279 §2.2.3).
  ///   - digest: the hash value; if it is longer than the order, only its leftmost bits count.
  package borrowing func verifyECDSA(_ signature: [UInt8], digest: [UInt8]) -> Bool {
    defer { CryptoError.clearQueue() }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, let context = EVP_PKEY_CTX_new(key, nil) else {
      return false
    }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }

  /// - Parameter signature: r ‖ s, each as long as the order (BSI TR-03111 §5.2.1.1).
  package borrowing func verifyPlainECDSA(_ signature: [UInt8], digest: [UInt8]) -> Bool {
    guard case .curve(let orderLength) = kind(),
      let encoded = ECDSASignature.encoded(plain: signature, orderLength: orderLength)
    else { return false }
    return verifyECDSA(encoded, digest: digest)
  }

  /// Verifies a signature of `SigningKey`, over the message itself.
  package borrowing func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    defer { CryptoError.clearQueue() }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_PKEY_get_security_bits(key) >= Self.leastSecurityBits
      && EVP_DigestVerifyInit(context, nil, Self.hash(for: key), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// The strength of RSA with 2048 bits (NIST SP 800-57 part 1, table 2).
  static let leastSecurityBits: CInt = 112

  /// The hash function of a key's signatures; none for Ed25519 and Ed448, which have their own.
  static func hash(for key: OpaquePointer) -> OpaquePointer? {
    [EVP_PKEY_ED25519, EVP_PKEY_ED448].contains(EVP_PKEY_get_base_id(key)) ? nil : EVP_sha256()
  }

  deinit { EVP_PKEY_free(key) }
}

/// Parses the object at the start of some bytes by one of OpenSSL's parsers (`d2i_…`).
///
/// - Returns: the object, which the caller frees, and the number of bytes that it takes.
package func parsedPrefix<Object>(
  of bytes: [UInt8],
  by parser: (
    UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
  ) -> Object?
) -> (object: Object, length: Int)? {
  bytes.withUnsafeBufferPointer { buffer in
    var cursor = buffer.baseAddress
    guard let start = cursor, let object = parser(nil, &cursor, buffer.count), let cursor else {
      return nil
    }
    return (object, cursor - start)
  }
}
