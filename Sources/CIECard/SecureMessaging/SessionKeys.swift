/// The two keys of a secure channel, one for encryption and one for authentication, and their
/// cipher.
struct SessionKeys: ~Copyable {
  let cipher: SessionCipher
  /// KENC.
  let encryption: Secret
  /// KMAC.
  let authentication: Secret

  init(
    cipher: SessionCipher = .tripleDES, encryption: consuming Secret,
    authentication: consuming Secret
  ) {
    self.cipher = cipher
    self.encryption = encryption
    self.authentication = authentication
  }

  /// Derives both keys from a shared secret, with counter 1 for encryption and 2 for authentication.
  ///
  /// - Parameter hash: that of the cipher in travel documents (Doc 9303-11 §9.7.1); IAS ECC
  ///   (§5.2.3) uses SHA-256.
  static func derive(
    from sharedSecret: borrowing Secret, for cipher: SessionCipher, hash: HashAlgorithm
  ) throws(CryptoError) -> SessionKeys {
    SessionKeys(
      cipher: cipher,
      encryption: try deriveKey(1, from: sharedSecret, for: cipher, hash: hash),
      authentication: try deriveKey(2, from: sharedSecret, for: cipher, hash: hash))
  }

  /// The key derived from a password, with counter 3 (Doc 9303-11 §9.7.3).
  static func derivePasswordKey(
    from password: borrowing Secret, for cipher: SessionCipher
  ) throws(CryptoError) -> Secret {
    try deriveKey(3, from: password, for: cipher, hash: cipher.derivationHash)
  }

  /// H(secret ‖ counter), truncated to the cipher's key length. Parity bits of 3DES are not
  /// adjusted.
  private static func deriveKey(
    _ counter: UInt8, from secret: borrowing Secret, for cipher: SessionCipher,
    hash: HashAlgorithm
  ) throws(CryptoError) -> Secret {
    let input = Secret(count: secret.count + 4) { buffer in
      secret.withBytes { buffer.copyBytes(from: $0) }
      buffer[buffer.count - 1] = counter
    }
    let value = try hash.secretHash(input)
    return Secret(count: cipher.keyLength) { buffer in
      value.withBytes { buffer.copyBytes(from: $0.prefix(buffer.count)) }
    }
  }
}

/// SSC, the counter in every MAC: one block, big-endian, incremented before each command and each
/// response.
struct SendSequenceCounter: Sendable {
  /// The whole block: 8 bytes with 3DES, 16 with AES.
  private(set) var bytes: [UInt8]

  /// Zero, its value after PACE and chip authentication (Doc 9303-11 §9.8.6.3).
  init(for cipher: SessionCipher) {
    self.init([UInt8](repeating: 0, count: cipher.blockLength))
  }

  /// One, its value after key agreement of IAS ECC (§5.2.3.2.3): eight bytes.
  static var one: SendSequenceCounter {
    var counter = SendSequenceCounter(for: .tripleDES)
    counter.step()
    return counter
  }

  /// Any value: a whole block.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The last four bytes of both challenges, its value after device authentication (IAS ECC
  /// §5.2.3.5) and Basic Access Control (Doc 9303-11 §9.8.6.3).
  init(cardChallenge: [UInt8], terminalChallenge: [UInt8]) {
    self.init(cardChallenge.suffix(4) + terminalChallenge.suffix(4))
  }

  /// Adds one; the last value is followed by zero.
  mutating func step() {
    for index in bytes.indices.reversed() {
      bytes[index] &+= 1
      if bytes[index] != 0 { return }
    }
  }
}
