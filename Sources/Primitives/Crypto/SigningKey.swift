internal import COpenSSL

/// A private key that signs for a terminal, as an OpenSSL object: RSA, ECDSA, Ed25519 or Ed448.
package struct SigningKey: ~Copyable {
  private let key: OpaquePointer

  /// - Parameter text: an unencrypted private key in PEM (RFC 7468 §10).
  /// - Returns: `nil` for a key that OpenSSL cannot read, or one of another kind.
  package init?(pem text: [UInt8]) {
    defer { CryptoError.clearQueue() }
    // No question for a passphrase, wherever the program runs.
    let read = MemoryBIO.read(text) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    guard let key = read else { return nil }
    let kinds = [EVP_PKEY_RSA, EVP_PKEY_EC, EVP_PKEY_ED25519, EVP_PKEY_ED448]
    guard kinds.contains(EVP_PKEY_get_base_id(key)),
      EVP_PKEY_get_security_bits(key) >= SubjectPublicKey.leastSecurityBits
    else {
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  /// The public key, a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  package borrowing func publicKey() throws(CryptoError) -> [UInt8] {
    guard let encoded = SubjectPublicKey.encoded(key) else { throw .fromQueue("i2d_PUBKEY") }
    return encoded
  }

  /// Signs a message: with SHA-256, in PKCS#1 v1.5 or as `SEQUENCE { r, s }`; Ed25519 and Ed448 by RFC 8032.
  package borrowing func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .fromQueue("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    var length = 0
    guard EVP_DigestSignInit(context, nil, SubjectPublicKey.hash(for: key), nil, key) == 1,
      EVP_DigestSign(context, nil, &length, message, message.count) == 1
    else { throw .fromQueue("EVP_DigestSign") }
    var signature = [UInt8](repeating: 0, count: length)
    guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else {
      throw .fromQueue("EVP_DigestSign")
    }
    return [UInt8](signature.prefix(length))
  }

  deinit { EVP_PKEY_free(key) }
}

extension SubjectPublicKey {
  /// The key of a PEM text: a public key or a certificate (RFC 7468 §13, §5), as a SubjectPublicKeyInfo.
  package static func encoded(pem text: [UInt8]) -> [UInt8]? {
    defer { CryptoError.clearQueue() }
    return MemoryBIO.read(text) { source in
      if let key = PEM_read_bio_PUBKEY(source, nil, nil, nil) {
        defer { EVP_PKEY_free(key) }
        return encoded(key)
      }
      guard BIO_ctrl(source, BIO_CTRL_RESET, 0, nil) == 1,
        let certificate = PEM_read_bio_X509(source, nil, nil, nil)
      else { return nil }
      defer { X509_free(certificate) }
      return X509_get0_pubkey(certificate).flatMap(encoded)
    }
  }

  fileprivate static func encoded(_ key: OpaquePointer) -> [UInt8]? {
    let length = i2d_PUBKEY(key, nil)
    guard length > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let written = bytes.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return i2d_PUBKEY(key, &cursor)
    }
    return written == length ? bytes : nil
  }
}

/// Bytes as OpenSSL reads them from a file.
package enum MemoryBIO {
  /// Reads bytes, which stay where they are meanwhile: the BIO keeps their address alone, and an optimizer ends the life of an
  /// array with its last use.
  ///
  /// - Parameter body: gets the BIO; `nil` without memory for it, or without bytes.
  package static func read<Value, Failure>(
    _ bytes: [UInt8], _ body: (OpaquePointer?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = bytes.withUnsafeBytes { buffer -> Result<Value, Failure> in
      let source = BIO_new_mem_buf(buffer.baseAddress, CInt(clamping: buffer.count))
      defer { BIO_free(source) }
      do throws(Failure) { return .success(try body(source)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
