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
  static let length = 16

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
    var output = [UInt8](repeating: 0, count: length)
    var written = 0
    let done = key.withBytes { key in
      EVP_Q_mac(
        nil, "CMAC", nil, name, nil, key.baseAddress, key.count, message, message.count, &output,
        output.count, &written) != nil
    }
    guard done, written == length else { throw .fromQueue("CMAC") }
    return output
  }
}
