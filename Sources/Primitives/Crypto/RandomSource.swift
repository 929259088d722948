internal import COpenSSL

/// A source of random bytes: the system's generator, or a recording when a trace is replayed.
public protocol RandomSource {
  /// Fills the whole buffer with random bytes.
  ///
  /// - Throws: `CryptoError` if the source cannot provide that many bytes.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError)
}

extension RandomSource {
  /// `count` random bytes that are not secret (a challenge, a padding).
  package mutating func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: count)
    var failure: CryptoError?
    value.withUnsafeMutableBytes { buffer in
      do throws(CryptoError) { try fill(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return value
  }
}

/// OpenSSL's generator, seeded by the kernel.
public struct SystemRandom: RandomSource, Sendable {
  /// A stateless handle on the generator.
  public init() {}

  /// Fills the buffer from the generator (NIST SP 800-90A).
  public mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard !buffer.isEmpty else { return }
    let bytes = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard RAND_bytes(bytes, CInt(buffer.count)) == 1 else { throw .fromQueue("RAND_bytes") }
  }
}
