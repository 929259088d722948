internal import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D): a fresh nonce of 96 bits, the ciphertext, a tag of 128 bits.
enum SessionCipher {
  private static let nonceLength = 12
  private static let tagLength = 16

  /// Bytes added to the plaintext.
  static let overhead = nonceLength + tagLength

  /// - Parameter context: additional authenticated data; must be equal on decryption.
  static func seal(
    _ plaintext: [UInt8], key: borrowing Secret, context: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var random = SystemRandom()
    let nonce = try random.bytes(nonceLength)
    let cipher = try Running(key, nonce, context, isEncrypting: true)
    let ciphertext = try cipher.update(plaintext)
    return nonce + ciphertext + (try cipher.tag(tagLength))
  }

  /// - Returns: `nil` if authentication fails: another key, another context or a changed bit.
  static func open(
    _ sealed: [UInt8], key: borrowing Secret, context: [UInt8]
  ) throws(CryptoError) -> [UInt8]? {
    guard sealed.count >= overhead else { return nil }
    let nonce = [UInt8](sealed.prefix(nonceLength))
    let tag = [UInt8](sealed.suffix(tagLength))
    let cipher = try Running(key, nonce, context, isEncrypting: false)
    let plaintext = try cipher.update([UInt8](sealed.dropFirst(nonceLength).dropLast(tagLength)))
    return cipher.matches(tag) ? plaintext : nil
  }

  private struct Running: ~Copyable {
    private let context: OpaquePointer

    init(
      _ key: borrowing Secret, _ nonce: [UInt8], _ associated: [UInt8], isEncrypting: Bool
    ) throws(CryptoError) {
      guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError("EVP_CIPHER_CTX_new") }
      var length: CInt = 0
      let isReady =
        key.count == KeyringKey.length
        && key.withBytes {
          EVP_CipherInit_ex(
            context, EVP_aes_256_gcm(), nil, $0.baseAddress, nonce, isEncrypting ? 1 : 0)
        } == 1
        && EVP_CipherUpdate(context, nil, &length, associated, CInt(associated.count)) == 1
      guard isReady else {
        EVP_CIPHER_CTX_free(context)
        throw CryptoError("AES-256-GCM")
      }
      self.context = context
    }

    borrowing func update(_ text: [UInt8]) throws(CryptoError) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: text.count)
      var length: CInt = 0
      guard EVP_CipherUpdate(context, &result, &length, text, CInt(text.count)) == 1,
        Int(length) == text.count
      else { throw CryptoError("EVP_CipherUpdate") }
      return result
    }

    borrowing func tag(_ count: Int) throws(CryptoError) -> [UInt8] {
      var tag = [UInt8](repeating: 0, count: count)
      var length: CInt = 0
      guard EVP_CipherFinal_ex(context, nil, &length) == 1,
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(count), &tag) == 1
      else { throw CryptoError("EVP_CipherFinal") }
      return tag
    }

    borrowing func matches(_ tag: [UInt8]) -> Bool {
      var (tag, length): ([UInt8], CInt) = (tag, 0)
      defer { ERR_clear_error() }
      return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1
        && EVP_CipherFinal_ex(context, nil, &length) == 1
    }

    deinit { EVP_CIPHER_CTX_free(context) }
  }
}
