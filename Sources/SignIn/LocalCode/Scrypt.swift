internal import COpenSSL

/// Password hash that is slow and needs much memory (RFC 7914), with its three parameters.
struct Scrypt: Sendable, Equatable {
  /// N: cost in time and memory, a power of two; a run needs 128·r·N bytes.
  let cost: Int
  /// r: block size.
  let blockSize: Int
  /// p: parallelization.
  let parallelization: Int

  /// Parameters of a new code: 32 MiB, about a tenth of a second.
  static let usual = Scrypt(cost: 1 << 15, blockSize: 8, parallelization: 1)

  /// True for parameters that a stored code may have: not weaker than `usual`, at most 256 MiB.
  var isReasonable: Bool {
    cost.nonzeroBitCount == 1 && (Self.usual.cost...1 << 17).contains(cost)
      && (Self.usual.blockSize...16).contains(blockSize)
      && (Self.usual.parallelization...64).contains(parallelization)
  }

  /// - Throws: `CryptoError` for invalid or excessive parameters, or without memory.
  func hash(
    _ password: borrowing Secret, salt: [UInt8], length: Int
  ) throws(CryptoError) -> [UInt8] {
    guard (1...1 << 24).contains(cost), (1...1 << 10).contains(blockSize),
      (1...1 << 10).contains(parallelization)
    else { throw CryptoError("EVP_PBE_scrypt") }
    var result = [UInt8](repeating: 0, count: length)
    let memory = 128 * blockSize * (cost + parallelization + 2)
    let isDone = password.withBytes { bytes in
      // An empty password has a null address, which OpenSSL takes as an absent password.
      bytes.withMemoryRebound(to: CChar.self) { characters in
        EVP_PBE_scrypt(
          characters.baseAddress, characters.count, salt, salt.count, UInt64(cost),
          UInt64(blockSize), UInt64(parallelization), UInt64(memory), &result, length)
      }
    }
    ERR_clear_error()
    guard isDone == 1 else { throw CryptoError("EVP_PBE_scrypt") }
    return result
  }
}
