internal import COpenSSL

/// AES with keys of 128, 192 or 256 bits in CBC mode, without padding (FIPS 197, ISO/IEC 18033-3).
///
/// One block under a zero IV is the block cipher itself, which is how secure messaging makes its IVs.
package enum AES {
  /// Block length in bytes.
  package static let blockLength = 16

  /// Encrypts whole blocks.
  ///
  /// - Parameters:
  ///   - plaintext: a multiple of 16 bytes.
  ///   - key: 16, 24 or 32 bytes.
  ///   - iv: 16 bytes; zero when absent.
  package static func encrypt(
    _ plaintext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try CBC.run(plaintext, key: key, settings(key.count, iv, isEncrypting: true))
  }

  /// Encrypts whole blocks that are secret.
  package static func encrypt(
    secret plaintext: borrowing Secret, key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try CBC.run(secret: plaintext, key: key, settings(key.count, iv, isEncrypting: true))
  }

  /// Decrypts whole blocks; the inverse of `encrypt`.
  package static func decrypt(
    _ ciphertext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try CBC.run(ciphertext, key: key, settings(key.count, iv, isEncrypting: false))
  }

  /// Decrypts whole blocks to something that is secret, such as a nonce.
  package static func decryptSecret(
    _ ciphertext: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> Secret {
    try CBC.secret(ciphertext, key: key, settings(key.count, nil, isEncrypting: false))
  }

  private static func settings(
    _ keyLength: Int, _ iv: [UInt8]?, isEncrypting: Bool
  ) -> CBC.Settings {
    let cipher =
      switch keyLength {
      case 16: EVP_aes_128_cbc()
      case 24: EVP_aes_192_cbc()
      case 32: EVP_aes_256_cbc()
      default: nil as OpaquePointer?
      }
    return CBC.Settings(
      cipher: cipher, block: blockLength, iv: iv, isEncrypting: isEncrypting)
  }
}
