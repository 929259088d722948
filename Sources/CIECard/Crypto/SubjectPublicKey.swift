internal import COpenSSL

/// A public key out of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), as OpenSSL holds it.
struct SubjectPublicKey: ~Copyable {
  private let key: OpaquePointer

  /// What can be done with a key.
  enum Kind {
    /// An RSA key.
    case rsa(RSAPublicKey)
    /// A key on one of the known curves, with the length of its order in bytes.
    case curve(orderLength: Int)
    /// A key of another kind, on a curve that is not known here, or an RSA key of no usable size; the short name
    /// or object identifier of its algorithm.
    case other(algorithm: String)
  }

  /// - Returns: `nil` when the input is no such structure and nothing else, or holds no key that OpenSSL can read.
  init?(_ encoded: [UInt8]) {
    var consumed = 0
    let parsed = encoded.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var cursor = buffer.baseAddress
      let parsed = d2i_PUBKEY(nil, &cursor, buffer.count)
      if let cursor, let start = buffer.baseAddress { consumed = cursor - start }
      return parsed
    }
    ERR_clear_error()
    guard let parsed else { return nil }
    guard consumed == encoded.count else {
      EVP_PKEY_free(parsed)
      return nil
    }
    key = parsed
  }

  /// What kind of key it is.
  borrowing func kind() -> Kind {
    defer { ERR_clear_error() }
    let identifier = EVP_PKEY_get_base_id(key)
    if identifier == EVP_PKEY_RSA, let rsa = RSAPublicKey(evp: key) { return .rsa(rsa) }
    var order: OpaquePointer?
    if identifier == EVP_PKEY_EC, KnownCurve.isKnown(of: key),
      EVP_PKEY_get_bn_param(key, "order", &order) == 1, let order
    {
      defer { BN_free(order) }
      return .curve(orderLength: (Int(BN_num_bits(order)) + 7) / 8)
    }
    return .other(algorithm: OBJ_nid2sn(identifier).map { String(cString: $0) } ?? "")
  }

  /// Whether the key confirms an ECDSA signature.
  ///
  /// - Parameters:
  ///   - signature: `SEQUENCE { r INTEGER, s INTEGER }` in DER (RFC 3279 §2.2.3).
  ///   - digest: the hash value; of one longer than the order only the leftmost bits count.
  borrowing func verifyECDSA(_ signature: [UInt8], digest: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, let context = EVP_PKEY_CTX_new(key, nil) else {
      return false
    }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }

  deinit { EVP_PKEY_free(key) }
}
