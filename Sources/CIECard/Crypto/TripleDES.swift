internal import COpenSSL

/// Two-key triple DES in CBC mode, without padding (NIST SP 800-67, ISO/IEC 18033-3).
///
/// Secure messaging of IAS ECC and of Doc 9303 uses it with a zero IV for every message.
package enum TripleDES {
  /// Block length in bytes.
  package static let blockLength = 8
  /// Length of a two-key key in bytes; parity bits are ignored.
  package static let keyLength = 16

  /// Encrypts whole blocks.
  ///
  /// - Parameters:
  ///   - plaintext: a multiple of 8 bytes.
  ///   - key: 16 bytes, K1 ‖ K2.
  ///   - iv: 8 bytes; zero when absent.
  package static func encrypt(
    _ plaintext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try run(plaintext, key: key, iv: iv, encrypting: 1)
  }

  /// Encrypts whole blocks that are secret, such as a padded PIN.
  package static func encrypt(
    secret plaintext: borrowing Secret, key: borrowing Secret
  ) throws(CryptoError) -> [UInt8] {
    var output: [UInt8] = []
    var failure: CryptoError?
    let iv = [UInt8](repeating: 0, count: blockLength)
    plaintext.withBytes { bytes in
      do throws(CryptoError) {
        output = try run(bytes, key: key, iv: iv, encrypting: 1)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return output
  }

  /// Decrypts whole blocks; the inverse of `encrypt`.
  package static func decrypt(
    _ ciphertext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try run(ciphertext, key: key, iv: iv, encrypting: 0)
  }

  private static func run(
    _ input: [UInt8], key: borrowing Secret, iv: [UInt8]?, encrypting: CInt
  ) throws(CryptoError) -> [UInt8] {
    let iv = iv ?? [UInt8](repeating: 0, count: blockLength)
    var output: [UInt8] = []
    var failure: CryptoError?
    input.withUnsafeBufferPointer { input in
      do throws(CryptoError) {
        output = try run(input, key: key, iv: iv, encrypting: encrypting)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return output
  }

  private static func run(
    _ input: UnsafeBufferPointer<UInt8>, key: borrowing Secret, iv: [UInt8], encrypting: CInt
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == keyLength, iv.count == blockLength, input.count % blockLength == 0 else {
      throw CryptoError("3DES", reason: "key, IV or data length")
    }
    guard let context = EVP_CIPHER_CTX_new() else { throw .fromQueue("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: input.count)
    var length: CInt = 0
    let done = key.withBytes { key in
      EVP_CipherInit_ex(context, EVP_des_ede_cbc(), nil, key.baseAddress, iv, encrypting) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_CipherUpdate(context, &output, &length, input.baseAddress, CInt(input.count)) == 1
    }
    guard done, Int(length) == input.count else { throw .fromQueue("3DES") }
    return output
  }
}
