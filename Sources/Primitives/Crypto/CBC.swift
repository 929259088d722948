internal import COpenSSL

/// A block cipher in CBC mode without padding, by OpenSSL; the ciphers have separate files.
enum CBC {
  /// The cipher and the other inputs of one run, except the data.
  struct Settings {
    /// OpenSSL's description of cipher and mode.
    let cipher: OpaquePointer?
    let block: Int
    /// The initial vector, one block; the default is zero.
    let iv: [UInt8]?
    let isEncrypting: Bool
  }

  /// Runs whole blocks through the cipher.
  static func run(
    _ input: [UInt8], key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: input.count)
    let isDone = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        run(input, to: output.baseAddress, key: key, settings)
      }
    }
    guard isDone else { throw .fromQueue("CBC") }
    return output
  }

  /// Runs secret blocks, such as a padded PIN, through the cipher to a public output.
  static func run(
    secret input: borrowing Secret, key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: input.count)
    let isDone = input.withBytes { input in
      output.withUnsafeMutableBufferPointer { output in
        run(input, to: output.baseAddress, key: key, settings)
      }
    }
    guard isDone else { throw .fromQueue("CBC") }
    return output
  }

  /// Runs whole blocks through the cipher to a secret output.
  static func secret(
    _ input: [UInt8], key: borrowing Secret, _ settings: Settings
  ) throws(CryptoError) -> Secret {
    var isDone = false
    let output = Secret(count: input.count) { output in
      isDone = input.withUnsafeBufferPointer { input in
        run(input, to: output.baseAddress?.assumingMemoryBound(to: UInt8.self), key: key, settings)
      }
    }
    guard isDone else { throw .fromQueue("CBC") }
    return output
  }

  private static func run(
    _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>?,
    key: borrowing Secret, _ settings: Settings
  ) -> Bool {
    let iv = settings.iv ?? [UInt8](repeating: 0, count: settings.block)
    guard let cipher = settings.cipher, key.count == Int(EVP_CIPHER_get_key_length(cipher)),
      iv.count == settings.block, input.count % settings.block == 0
    else { return false }
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    var length: CInt = 0
    let isDone = key.withBytes { key in
      EVP_CipherInit_ex(
        context, cipher, nil, key.baseAddress, iv, settings.isEncrypting ? 1 : 0) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_CipherUpdate(context, output, &length, input.baseAddress, CInt(input.count)) == 1
    }
    return isDone && Int(length) == input.count
  }
}
