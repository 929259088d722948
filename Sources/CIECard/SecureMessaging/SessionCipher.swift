/// The cryptography of a secure channel: block cipher, MAC and key derivation belong together (Doc
/// 9303-11 §9.8.2, §9.7.1; IAS ECC §7.1.5 has the first of them).
///
/// The raw value is the last arc of the protocols that open a session (BSI TR-03110-3 §A.1.1).
enum SessionCipher: UInt8, Sendable, Hashable, CaseIterable {
  /// Two-key triple DES with the retail MAC.
  case tripleDES = 1
  /// AES-128 with CMAC.
  case aes128
  /// AES-192 with CMAC.
  case aes192
  /// AES-256 with CMAC.
  case aes256

  private var block: any CBCCipher.Type {
    switch self {
    case .tripleDES: TripleDES.self
    case .aes128, .aes192, .aes256: AES.self
    }
  }

  /// Block length in bytes, also that of counters and padding.
  var blockLength: Int { block.blockLength }

  var keyLength: Int {
    switch self {
    case .tripleDES, .aes128: 16
    case .aes192: 24
    case .aes256: 32
    }
  }

  /// The hash function of key derivation in travel documents (Doc 9303-11 §9.7.1.2–9.7.1.3).
  var derivationHash: HashAlgorithm {
    switch self {
    case .tripleDES, .aes128: .sha1
    case .aes192, .aes256: .sha256
    }
  }

  static let macLength = 8

  /// The first eight bytes of the MAC over padded whole blocks.
  func authenticate(_ padded: [UInt8], key: borrowing Secret) throws(CryptoError) -> [UInt8] {
    switch self {
    case .tripleDES: try RetailMAC.compute(padded, key: key)
    case .aes128, .aes192, .aes256:
      [UInt8](try CMAC.compute(padded, key: key).prefix(Self.macLength))
    }
  }

  /// The initial vector of one message: zeros for 3DES, the encrypted counter for AES (Doc 9303-11 §9.8.6.1).
  func initialVector(
    _ counter: SendSequenceCounter, key: borrowing Secret
  ) throws(CryptoError) -> [UInt8]? {
    switch self {
    case .tripleDES: nil
    case .aes128, .aes192, .aes256: try AES.encrypt(counter.bytes, key: key)
    }
  }

  /// Encrypts whole blocks in CBC mode.
  ///
  /// - Parameter iv: one block, or `nil` for zeros.
  func encrypt(
    secret clear: borrowing Secret, key: borrowing Secret, iv: [UInt8]?
  ) throws(CryptoError) -> [UInt8] {
    try block.encrypt(secret: clear, key: key, iv: iv)
  }

  /// Decrypts whole blocks in CBC mode.
  func decrypt(
    _ cryptogram: [UInt8], key: borrowing Secret, iv: [UInt8]?
  ) throws(CryptoError) -> [UInt8] {
    try block.decrypt(cryptogram, key: key, iv: iv)
  }

  /// Decrypts whole blocks under a zero IV to a secret: the nonce of PACE.
  func decryptSecret(
    _ cryptogram: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> Secret {
    try block.decryptSecret(cryptogram, key: key)
  }
}

/// Padding of ISO/IEC 9797-1 method 2 (ISO/IEC 7816-4 §10.2.3.1): one byte 80, then zeros up to whole blocks.
enum BlockPadding {
  static let marker: UInt8 = 0x80

  /// Adds padding; a whole block grows by one block.
  static func pad(_ bytes: inout [UInt8], to block: Int) {
    bytes.append(marker)
    while bytes.count % block != 0 { bytes.append(0) }
  }

  /// Removes the padding.
  ///
  /// - Returns: `nil` if the last block does not end in a marker and zeros.
  static func unpad(_ bytes: [UInt8], from block: Int) -> [UInt8]? {
    guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == marker,
      bytes.count - end <= block
    else { return nil }
    return [UInt8](bytes[..<end])
  }
}
