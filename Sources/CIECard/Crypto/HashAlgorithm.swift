internal import COpenSSL

/// The hash functions that a CIE and its documents use (FIPS 180-4).
package enum HashAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-1: key derivation of Doc 9303 with 3DES, and old document signers. Never for a new signature.
  case sha1
  /// SHA-224: only in old document signatures.
  case sha224
  /// SHA-256.
  case sha256
  /// SHA-384.
  case sha384
  /// SHA-512.
  case sha512

  /// Length of the hash value in bytes.
  package var length: Int {
    switch self {
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The hash of the parts, taken one after the other.
  ///
  /// - Throws: `CryptoError` when OpenSSL cannot provide the algorithm.
  package func hash(_ parts: [UInt8]...) throws(CryptoError) -> [UInt8] {
    var running = try RunningHash(self)
    for part in parts { try running.update(part) }
    return try running.finish()
  }

  /// The hash of a secret, itself a secret.
  package func secretHash(_ input: borrowing Secret) throws(CryptoError) -> Secret {
    var done = false
    let value = Secret(count: length) { output in
      let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      done = input.withBytes {
        EVP_Digest($0.baseAddress, $0.count, bytes, nil, evp, nil) == 1
      }
    }
    guard done else { throw .fromQueue("EVP_Digest") }
    return value
  }

  /// OpenSSL's descriptor of the algorithm.
  package var evp: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha224: EVP_sha224()
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}
