internal import COpenSSL

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
    let done = cipher.withUnsafeMutableBufferPointer { cipher in
      let parameters = [
        OSSL_PARAM_construct_utf8_string("cipher", cipher.baseAddress, 0),
        OSSL_PARAM_construct_end(),
      ]
      return key.withBytes { key in
        EVP_MAC_init(context, key.baseAddress, key.count, parameters) == 1
          && EVP_MAC_update(context, message, message.count) == 1
          && EVP_MAC_final(context, &output, &written, output.count) == 1
      }
    }
    guard done, written == length else { throw .fromQueue("CMAC") }
    return output
  }
}
