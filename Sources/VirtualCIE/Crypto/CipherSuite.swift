internal import CIECard

/// The ciphers and MACs of a secure channel (Doc 9303-11 §9.8; IAS ECC §7.1.5–7.1.9).
public enum CipherSuite: String, Sendable, CaseIterable {
  /// Two-key 3DES in CBC mode and the retail MAC.
  case tripleDES = "3des"
  /// AES with 128-bit keys, CBC and CMAC.
  case aes128
  /// AES with 192-bit keys, CBC and CMAC.
  case aes192
  /// AES with 256-bit keys, CBC and CMAC.
  case aes256

  /// Purpose of a derived key (Doc 9303-11 §9.7.1).
  enum Purpose: UInt8 {
    case encryption = 1
    case authentication = 2
    /// Kπ, which encrypts the nonce of PACE.
    case password = 3
  }

  /// The last component of PACE's and chip authentication's object identifiers (Doc 9303-11 §9.2).
  var identifier: UInt8 {
    switch self {
    case .tripleDES: 1
    case .aes128: 2
    case .aes192: 3
    case .aes256: 4
    }
  }

  /// Block length in bytes; the counter of secure messaging is as long.
  var blockLength: Int {
    switch self {
    case .tripleDES: TripleDES.blockLength
    case .aes128, .aes192, .aes256: AES.blockLength
    }
  }

  var keyLength: Int {
    switch self {
    case .tripleDES, .aes128: 16
    case .aes192: 24
    case .aes256: 32
    }
  }

  /// The key derivation function KDF(K, c) (Doc 9303-11 §9.7.1.1).
  func derive(_ secret: [UInt8], _ purpose: Purpose) throws(CryptoError) -> [UInt8] {
    let algorithm: HashAlgorithm =
      switch self {
      case .tripleDES, .aes128: .sha1
      case .aes192, .aes256: .sha256
      }
    return [UInt8](
      try algorithm.hash(secret, [0, 0, 0, purpose.rawValue]).prefix(keyLength))
  }

  /// CBC encryption of whole blocks; the default IV is zero.
  func encrypt(
    _ plaintext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    switch self {
    case .tripleDES: try TripleDES.encrypt(plaintext, key: key, iv: iv)
    case .aes128, .aes192, .aes256: try AES.encrypt(plaintext, key: key, iv: iv)
    }
  }

  /// CBC decryption of whole blocks; the default IV is zero.
  func decrypt(
    _ ciphertext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    switch self {
    case .tripleDES: try TripleDES.decrypt(ciphertext, key: key, iv: iv)
    case .aes128, .aes192, .aes256: try AES.decrypt(ciphertext, key: key, iv: iv)
    }
  }

  /// The IV of a message: zero with 3DES, the encrypted counter with AES (Doc 9303-11 §9.8.6.1).
  func initialVector(
    _ counter: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> [UInt8]? {
    switch self {
    case .tripleDES: nil
    case .aes128, .aes192, .aes256: try AES.encrypt(counter, key: key)
    }
  }

  /// Eight bytes of MAC over a message that is padded to whole blocks.
  func mac(_ padded: [UInt8], key: borrowing Secret) throws(CryptoError) -> [UInt8] {
    switch self {
    case .tripleDES: try RetailMAC.compute(padded, key: key)
    case .aes128, .aes192, .aes256:
      [UInt8](try CMAC.compute(padded, key: key).prefix(RetailMAC.length))
    }
  }

  /// The authentication token of PACE over its input data: only 3DES pads it (Doc 9303-11 §4.4.3.4).
  func token(_ input: [UInt8], key: borrowing Secret) throws(CryptoError) -> [UInt8] {
    try mac(self == .tripleDES ? pad(input) : input, key: key)
  }

  /// ISO/IEC 9797-1 padding method 2.
  func pad(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [0x80]
      + [UInt8](repeating: 0, count: blockLength - 1 - bytes.count % blockLength)
  }

  /// Removes such padding; nil if it is malformed.
  func unpad(_ bytes: [UInt8]) -> [UInt8]? {
    guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == 0x80,
      bytes.count - end <= blockLength
    else { return nil }
    return [UInt8](bytes[..<end])
  }

  /// Most plain bytes in a protected response of this many bytes, status word apart.
  func room(in length: Int) -> Int {
    // Besides the data: DO87 with its header and indicator, DO99 4, DO8E 10; then whole blocks less
    // one byte of padding.
    let header = length > 0x100 ? 5 : 4
    return max(1, (length - header - 14) / blockLength * blockLength - 1)
  }
}

/// The ciphers, keys and counter of a secure channel.
struct SessionKeys: Equatable {
  let suite: CipherSuite
  /// KSenc, of the suite's key length.
  let encryption: [UInt8]
  /// KSmac, of the suite's key length.
  let authentication: [UInt8]
  /// One block; the first command uses the next number.
  let counter: [UInt8]
}

extension SessionKeys {
  /// The channel begun by a Diffie–Hellman agreement of the CIE application: KENC and KMAC are the
  /// first 16 bytes of SHA-256(Z ‖ 1) and SHA-256(Z ‖ 2), the counter starts at 1 (IAS ECC §7.2.4).
  init(identitySecret secret: [UInt8]) throws(CryptoError) {
    let first = try HashAlgorithm.sha256.hash(secret, [0, 0, 0, 1])
    let second = try HashAlgorithm.sha256.hash(secret, [0, 0, 0, 2])
    self.init(
      suite: .tripleDES,
      encryption: [UInt8](first.prefix(TripleDES.keyLength)),
      authentication: [UInt8](second.prefix(TripleDES.keyLength)),
      counter: [0, 0, 0, 0, 0, 0, 0, 1])
  }

  /// The channel begun by PACE, basic access control or chip authentication (Doc 9303-11 §9.7.1).
  ///
  /// - Parameters:
  ///   - secret: the shared secret K, leading zeros included.
  ///   - counter: its start value; zero by default.
  init(
    documentSecret secret: [UInt8], _ suite: CipherSuite, counter: [UInt8]? = nil
  ) throws(CryptoError) {
    self.init(
      suite: suite, encryption: try suite.derive(secret, .encryption),
      authentication: try suite.derive(secret, .authentication),
      counter: counter ?? [UInt8](repeating: 0, count: suite.blockLength))
  }

  /// The proof of chip authentication mapping, encrypted under KSenc, with −1 encrypted as IV (Doc 9303-11 §4.4.3.5).
  func encrypt(factor: [UInt8]) throws(CryptoError) -> [UInt8] {
    let minusOne = [UInt8](repeating: 0xFF, count: suite.blockLength)
    return try suite.encrypt(
      suite.pad(factor), key: Secret(encryption),
      iv: suite.initialVector(minusOne, key: Secret(encryption)))
  }
}
