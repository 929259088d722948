/// The two keys of a secure channel: one encrypts, one authenticates.
struct SessionKeys: ~Copyable {
  /// KENC, 16 bytes.
  let encryption: Secret
  /// KMAC, 16 bytes.
  let authentication: Secret

  init(encryption: consuming Secret, authentication: consuming Secret) {
    self.encryption = encryption
    self.authentication = authentication
  }

  /// Derives both keys from a shared secret: H(Z ‖ counter), cut to 16 bytes, with counter 1 for encryption and 2
  /// for authentication (Doc 9303-11 §9.7.1; IAS ECC §5.2.3 has the same shape with SHA-256).
  static func derive(
    from sharedSecret: borrowing Secret, hash: HashAlgorithm
  ) throws(CryptoError) -> SessionKeys {
    SessionKeys(
      encryption: try derive(1, from: sharedSecret, hash: hash),
      authentication: try derive(2, from: sharedSecret, hash: hash))
  }

  private static func derive(
    _ counter: UInt8, from sharedSecret: borrowing Secret, hash: HashAlgorithm
  ) throws(CryptoError) -> Secret {
    let input = Secret(count: sharedSecret.count + 4) { buffer in
      sharedSecret.withBytes { buffer.copyBytes(from: $0) }
      buffer[buffer.count - 1] = counter
    }
    let value = try hash.secretHash(input)
    return Secret(count: TripleDES.keyLength) { buffer in
      value.withBytes { buffer.copyBytes(from: $0.prefix(buffer.count)) }
    }
  }
}
