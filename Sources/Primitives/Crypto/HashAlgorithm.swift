internal import COpenSSL

/// The hash functions that a CIE and its documents use (FIPS 180-4).
package enum HashAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-1: key derivation of Doc 9303 with 3DES, and old document signers. Never for a new signature.
  case sha1
  /// SHA-224: only in old document signatures.
  case sha224
  case sha256
  case sha384
  case sha512

  package var length: Int { Int(EVP_MD_get_size(evp)) }

  /// The hash of the concatenated parts.
  ///
  /// - Throws: `CryptoError` if OpenSSL does not provide the algorithm.
  package func hash(_ parts: [UInt8]...) throws(CryptoError) -> [UInt8] {
    var running = try RunningHash(self)
    for part in parts { try running.update(part) }
    return try running.finish()
  }

  package func secretHash(_ input: borrowing Secret) throws(CryptoError) -> Secret {
    try Secret(count: length) { (output) throws(CryptoError) in
      let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let code = input.withBytes { EVP_Digest($0.baseAddress, $0.count, bytes, nil, evp, nil) }
      guard code == 1 else { throw .fromQueue("EVP_Digest") }
    }
  }

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

extension HashAlgorithm {
  /// The algorithm of an object identifier, given as the content octets of its DER encoding.
  ///
  /// - Returns: `nil` if documents do not use it (Doc 9303-12 §4.4).
  package init?(objectIdentifier octets: some Collection<UInt8>) {
    let found = Self.allCases.first { $0.objectIdentifier.elementsEqual(octets) }
    guard let found else { return nil }
    self = found
  }

  /// The content octets of the object identifier: id-sha1 (RFC 3370 §2.1), the others of NIST CSOR
  /// 2.16.840.1.101.3.4.2 (RFC 5754 §2).
  package var objectIdentifier: [UInt8] {
    let sha2: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
    return switch self {
    case .sha1: [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    case .sha224: sha2 + [0x04]
    case .sha256: sha2 + [0x01]
    case .sha384: sha2 + [0x02]
    case .sha512: sha2 + [0x03]
    }
  }
}

/// An incremental hash, for data too large to hold in memory.
package struct RunningHash: ~Copyable {
  private let context: OpaquePointer
  private let length: Int

  /// - Throws: `CryptoError` if OpenSSL does not provide the algorithm.
  package init(_ algorithm: HashAlgorithm) throws(CryptoError) {
    guard let context = EVP_MD_CTX_new() else { throw .fromQueue("EVP_MD_CTX_new") }
    guard EVP_DigestInit_ex(context, algorithm.evp, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw .fromQueue("EVP_DigestInit")
    }
    self.context = context
    length = algorithm.length
  }

  package mutating func update(_ piece: [UInt8]) throws(CryptoError) {
    guard EVP_DigestUpdate(context, piece, piece.count) == 1 else {
      throw .fromQueue("EVP_DigestUpdate")
    }
  }

  package consuming func finish() throws(CryptoError) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: length)
    guard EVP_DigestFinal_ex(context, &value, nil) == 1 else { throw .fromQueue("EVP_DigestFinal") }
    return value
  }

  deinit { EVP_MD_CTX_free(context) }
}
