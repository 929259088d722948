internal import COpenSSL

/// A block cipher in CBC mode without padding, by OpenSSL; the ciphers' own files say which.
enum CBC {
  /// The cipher with everything that one run needs besides the data.
  struct Settings {
    /// OpenSSL's description of cipher and mode.
    let cipher: OpaquePointer?
    /// Block length in bytes.
    let block: Int
    /// The initial vector, one block; zeros when absent.
    let iv: [UInt8]?
    /// Encrypts or decrypts.
    let isEncrypting: Bool
  }

  /// Runs whole blocks through the cipher.
  static func run(
    _ input: [UInt8], key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> [UInt8] {
    var output: [UInt8] = []
    var failure: CryptoError?
    input.withUnsafeBufferPointer { input in
      do throws(CryptoError) {
        output = try run(input, key: key, settings)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return output
  }

  /// Runs whole blocks that are secret, such as a padded PIN.
  static func run(
    secret input: borrowing Secret, key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> [UInt8] {
    var output: [UInt8] = []
    var failure: CryptoError?
    input.withBytes { input in
      do throws(CryptoError) {
        output = try run(input, key: key, settings)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return output
  }

  private static func run(
    _ input: UnsafeBufferPointer<UInt8>, key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> [UInt8] {
    let iv = settings.iv ?? [UInt8](repeating: 0, count: settings.block)
    guard let cipher = settings.cipher, key.count == Int(EVP_CIPHER_get_key_length(cipher)),
      iv.count == settings.block, input.count % settings.block == 0
    else { throw CryptoError("CBC", reason: "key, IV or data length") }
    guard let context = EVP_CIPHER_CTX_new() else { throw .fromQueue("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: input.count)
    var length: CInt = 0
    let done = key.withBytes { key in
      EVP_CipherInit_ex(
        context, cipher, nil, key.baseAddress, iv, settings.isEncrypting ? 1 : 0) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_CipherUpdate(context, &output, &length, input.baseAddress, CInt(input.count)) == 1
    }
    guard done, Int(length) == input.count else { throw .fromQueue("CBC") }
    return output
  }
}
