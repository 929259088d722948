internal import Glibc

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
    try value.withUnsafeMutableBufferPointer { (buffer) throws(CryptoError) in
      try fill(UnsafeMutableRawBufferPointer(buffer))
    }
    return value
  }
}

/// The kernel's generator, because the start of OpenSSL's costs a short command more than all the bytes that it needs.
public struct SystemRandom: RandomSource, Sendable {
  /// A stateless handle on the generator.
  public init() {}

  /// Fills the buffer (getentropy(3), which gives up to 256 bytes a call).
  public mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    for start in stride(from: 0, to: buffer.count, by: 256) {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[start...].prefix(256))
      guard let place = part.baseAddress, getentropy(place, part.count) == 0 else {
        throw CryptoError("getentropy", reason: SystemError(errno).message)
      }
    }
  }
}
