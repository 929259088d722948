internal import COpenSSL

/// AES with keys of 128, 192 or 256 bits in CBC mode (FIPS 197, ISO/IEC 18033-3).
package enum AES: CBCCipher {
  package static let blockLength = 16

  package static func mode(keyLength: Int) -> OpaquePointer? {
    switch keyLength {
    case 16: EVP_aes_128_cbc()
    case 24: EVP_aes_192_cbc()
    case 32: EVP_aes_256_cbc()
    default: nil
    }
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
