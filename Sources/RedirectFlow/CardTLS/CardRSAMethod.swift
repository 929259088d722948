internal import CIECard
internal import COpenSSL

/// An RSA key for OpenSSL whose private half is on a card.
///
/// The only private operation is the PKCS #1 v1.5 signature of a hash value; OpenSSL itself would need raw RSA for PSS,
/// and that is refused.
final class CardRSAMethod {
  private let pointer: OpaquePointer

  init() throws(HTTPError) {
    guard let pointer = RSA_meth_dup(RSA_PKCS1_OpenSSL()) else { throw .handshake(alert: nil) }
    self.pointer = pointer
    RSA_meth_set_priv_enc(pointer) { _, _, _, _, _ in -1 }
    RSA_meth_set_priv_dec(pointer) { _, _, _, _, _ in -1 }
    RSA_meth_set_sign(pointer) { type, hash, length, signature, signatureLength, key in
      guard let key, let method = RSA_get_method(key),
        let handshake = RSA_meth_get0_app_data(method), let signature, let signatureLength,
        let digest = CardRSAMethod.digest(type, hash, length),
        let bytes = CardHandshake.from(handshake).sign(digest), bytes.count == Int(RSA_size(key))
      else { return 0 }
      signature.update(from: bytes, count: bytes.count)
      signatureLength.pointee = CUnsignedInt(bytes.count)
      return 1
    }
  }

  /// The hash value to sign for TLS; `nil` for hash functions that a card is not asked for.
  private static func digest(
    _ type: CInt, _ hash: UnsafePointer<UInt8>?, _ length: CUnsignedInt
  ) -> Digest? {
    let algorithm: Digest.Algorithm
    switch type {
    case NID_sha256: algorithm = .sha256
    case NID_sha384: algorithm = .sha384
    case NID_sha512: algorithm = .sha512
    default: return nil
    }
    return Digest(
      algorithm, bytes: [UInt8](UnsafeBufferPointer(start: hash, count: Int(length))))
  }

  /// Gives a connection the certificate, and a key whose signatures the signer makes.
  ///
  /// - Returns: `false` when the certificate is not one of an RSA key.
  func use(certificate der: [UInt8], on connection: OpaquePointer, signer: CardHandshake) -> Bool {
    RSA_meth_set0_app_data(pointer, Unmanaged.passUnretained(signer).toOpaque())
    let certificate = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_X509(nil, &cursor, buffer.count)
    }
    defer { X509_free(certificate) }
    guard let certificate, let certified = X509_get0_pubkey(certificate),
      let published = EVP_PKEY_get0_RSA(certified), let key = RSA_new()
    else { return false }
    defer { RSA_free(key) }
    let modulus = BN_dup(RSA_get0_n(published))
    let exponent = BN_dup(RSA_get0_e(published))
    // From success on the key owns both numbers.
    guard RSA_set_method(key, pointer) == 1, RSA_set0_key(key, modulus, exponent, nil) == 1 else {
      BN_free(modulus)
      BN_free(exponent)
      return false
    }
    guard let holder = EVP_PKEY_new() else { return false }
    defer { EVP_PKEY_free(holder) }
    return EVP_PKEY_set1_RSA(holder, key) == 1
      && SSL_use_certificate(connection, certificate) == 1
      && SSL_use_PrivateKey(connection, holder) == 1
  }

  deinit { RSA_meth_free(pointer) }
}
