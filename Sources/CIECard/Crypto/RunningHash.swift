internal import COpenSSL

/// A hash over bytes that come piece by piece, for what is too large to hold in memory.
package struct RunningHash: ~Copyable {
  private let context: OpaquePointer
  private let length: Int

  /// Begins.
  ///
  /// - Throws: `CryptoError` when OpenSSL cannot provide the algorithm.
  package init(_ algorithm: HashAlgorithm) throws(CryptoError) {
    guard let context = EVP_MD_CTX_new() else { throw .fromQueue("EVP_MD_CTX_new") }
    guard EVP_DigestInit_ex(context, algorithm.evp, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw .fromQueue("EVP_DigestInit")
    }
    self.context = context
    length = algorithm.length
  }

  /// Takes the next piece.
  package mutating func update(_ piece: [UInt8]) throws(CryptoError) {
    guard EVP_DigestUpdate(context, piece, piece.count) == 1 else {
      throw .fromQueue("EVP_DigestUpdate")
    }
  }

  /// The hash of all pieces.
  package consuming func finish() throws(CryptoError) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: length)
    guard EVP_DigestFinal_ex(context, &value, nil) == 1 else { throw .fromQueue("EVP_DigestFinal") }
    return value
  }

  deinit { EVP_MD_CTX_free(context) }
}
