internal import COpenSSL

/// AES with keys of 128, 192 or 256 bits in CBC mode, without padding (FIPS 197, ISO/IEC 18033-3).
///
/// One block under a zero IV is the block cipher itself; secure messaging derives its IVs that way.
package enum AES {
  package static let blockLength = 16

  /// Encrypts whole blocks.
  ///
  /// - Parameters:
  ///   - plaintext: a multiple of 16 bytes.
  ///   - key: 16, 24 or 32 bytes.
  ///   - iv: 16 bytes; the default is zero.
  package static func encrypt(
    _ plaintext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try CBC.run(plaintext, key: key, settings(key.count, iv, isEncrypting: true))
  }

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

  /// Decrypts whole blocks to a secret, such as a nonce.
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

/// The cipher-based MAC with AES (NIST SP 800-38B, RFC 4493).
package enum CMAC {
  /// Length of the full MAC in bytes; secure messaging keeps the first eight.
  package static let length = 16

  /// The MAC over a message of any length.
  ///
  /// - Parameter key: 16, 24 or 32 bytes.
  package static func compute(
    _ message: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> [UInt8] {
    let name =
      switch key.count {
      case 16: "AES-128-CBC"
      case 24: "AES-192-CBC"
      case 32: "AES-256-CBC"
      default: throw CryptoError("CMAC", reason: "key length")
      }
    guard let mac = EVP_MAC_fetch(nil, "CMAC", nil) else { throw .fromQueue("EVP_MAC_fetch") }
    defer { EVP_MAC_free(mac) }
    guard let context = EVP_MAC_CTX_new(mac) else { throw .fromQueue("EVP_MAC_CTX_new") }
    defer { EVP_MAC_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: length)
    var written = 0
    var cipher = [CChar](name.utf8CString)
    // The parameter stores both pointers, so the name must outlive the initializer call.
    let done = "cipher".withCString { parameter in
      cipher.withUnsafeMutableBufferPointer { cipher in
        let parameters = [
          OSSL_PARAM_construct_utf8_string(parameter, cipher.baseAddress, 0),
          OSSL_PARAM_construct_end(),
        ]
        return key.withBytes { key in
          EVP_MAC_init(context, key.baseAddress, key.count, parameters) == 1
            && EVP_MAC_update(context, message, message.count) == 1
            && EVP_MAC_final(context, &output, &written, output.count) == 1
        }
      }
    }
    guard done, written == length else { throw .fromQueue("CMAC") }
    return output
  }
}
