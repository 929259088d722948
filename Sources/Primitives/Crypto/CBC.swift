internal import COpenSSL

/// A block cipher in CBC mode without padding, by OpenSSL; inputs are whole blocks.
///
/// One block under a zero IV is the block cipher itself; secure messaging derives its IVs that way.
package protocol CBCCipher {
  static var blockLength: Int { get }
  /// OpenSSL's description of cipher and mode; `nil` for keys of another length.
  static func mode(keyLength: Int) -> OpaquePointer?
}

extension CBCCipher {
  /// Encrypts whole blocks.
  ///
  /// - Parameter iv: one block; the default is zero.
  package static func encrypt(
    _ plaintext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try output(plaintext.count) { output in
      plaintext.withUnsafeBufferPointer { run($0, to: output, key, iv, isEncrypting: true) }
    }
  }

  /// Encrypts secret blocks, such as a padded PIN.
  package static func encrypt(
    secret plaintext: borrowing Secret, key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try output(plaintext.count) { output in
      plaintext.withBytes { run($0, to: output, key, iv, isEncrypting: true) }
    }
  }

  /// Decrypts whole blocks; the inverse of `encrypt`.
  package static func decrypt(
    _ ciphertext: [UInt8], key: borrowing Secret, iv: [UInt8]? = nil
  ) throws(CryptoError) -> [UInt8] {
    try output(ciphertext.count) { output in
      ciphertext.withUnsafeBufferPointer { run($0, to: output, key, iv, isEncrypting: false) }
    }
  }

  /// Decrypts whole blocks to a secret, such as a nonce.
  package static func decryptSecret(
    _ ciphertext: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> Secret {
    try Secret(count: ciphertext.count) { (secret) throws(CryptoError) in
      let output = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let isDone = ciphertext.withUnsafeBufferPointer {
        run($0, to: output, key, nil, isEncrypting: false)
      }
      guard isDone else { throw .fromQueue("CBC") }
    }
  }

  private static func output(
    _ count: Int, _ run: (UnsafeMutablePointer<UInt8>?) -> Bool
  ) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    guard output.withUnsafeMutableBufferPointer({ run($0.baseAddress) }) else {
      throw .fromQueue("CBC")
    }
    return output
  }

  private static func run(
    _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>?,
    _ key: borrowing Secret, _ iv: [UInt8]?, isEncrypting: Bool
  ) -> Bool {
    let iv = iv ?? [UInt8](repeating: 0, count: blockLength)
    guard let mode = mode(keyLength: key.count), key.count == EVP_CIPHER_get_key_length(mode),
      iv.count == blockLength, input.count % blockLength == 0,
      let context = EVP_CIPHER_CTX_new()
    else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    var length: CInt = 0
    let isDone = key.withBytes { key in
      EVP_CipherInit_ex(context, mode, nil, key.baseAddress, iv, isEncrypting ? 1 : 0) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_CipherUpdate(context, output, &length, input.baseAddress, CInt(input.count)) == 1
    }
    return isDone && Int(length) == input.count
  }
}
