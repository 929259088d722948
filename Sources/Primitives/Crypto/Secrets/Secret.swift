internal import COpenSSL

/// Bytes that must not be copied or printed, and must be wiped: keys, PINs, private scalars.
///
/// The buffer is allocated once, in `SecretMemory` if that is available, read through a closure,
/// and wiped in `deinit`. The type has no description, and compares only in constant time.
public struct Secret: ~Copyable, @unchecked Sendable {
  // Unchecked: the buffer is written only in `init`, before the value can be shared.
  private let buffer: UnsafeMutableRawBufferPointer

  /// A secret of `count` bytes, written in place by `fill`.
  public init<Failure: Error>(
    count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    buffer =
      SecretMemory.allocate(count).map { UnsafeMutableRawBufferPointer(start: $0, count: count) }
      ?? .allocate(byteCount: count, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(buffer)
  }

  /// A secret with a copy of these bytes: for public values where a secret is required, and for
  /// tests. The caller's array is not wiped.
  package init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  package init(
    randomCount count: Int, from source: inout some RandomSource
  ) throws(CryptoError) {
    try self.init(count: count) { (buffer) throws(CryptoError) in try source.fill(buffer) }
  }

  /// Length in bytes.
  public var count: Int { buffer.count }

  /// Lends the bytes; the pointer must not escape the closure.
  package borrowing func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    body(UnsafeBufferPointer(buffer.assumingMemoryBound(to: UInt8.self)))
  }

  package borrowing func equals(_ other: borrowing Secret) -> Bool {
    count == other.count && CRYPTO_memcmp(buffer.baseAddress, other.buffer.baseAddress, count) == 0
  }

  deinit {
    guard !SecretMemory.free(buffer) else { return }
    OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    buffer.deallocate()
  }
}

/// Memory for secrets that is never swapped out.
///
/// OpenSSL's secure heap: one locked block, excluded from core dumps, between two inaccessible
/// guard pages. One block, because locks of single pages do not nest: freeing one secret would
/// unlock its neighbours.
package enum SecretMemory {
  /// Enough for the secrets of many conversations; the usual limit of an unprivileged process is 8
  /// MiB, formerly 64 KiB.
  private static let size = 32 << 10
  private static let smallestBlock = 16
  /// Longer secrets are encrypted command data, and remain on the ordinary heap.
  private static let longestSecret = 4 << 10

  /// Makes later secrets use this memory. Must be called once, before other threads start.
  ///
  /// If the system does not lock memory, the block is used all the same; if there is no block,
  /// secrets are on the ordinary heap.
  package static func begin() { _ = CRYPTO_secure_malloc_init(size, smallestBlock) }

  /// Allocates in the block; `nil` if it is full or missing.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard CRYPTO_secure_malloc_initialized() == 1, (1...longestSecret).contains(count) else {
      return nil
    }
    // A full block must not look like an error of a later calculation.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return CRYPTO_secure_malloc(count, #fileID, #line)
  }

  /// Wipes and frees memory from `allocate`.
  ///
  /// - Returns: false if it does not belong to the block.
  static func free(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard CRYPTO_secure_allocated(buffer.baseAddress) == 1 else { return false }
    CRYPTO_secure_clear_free(buffer.baseAddress, buffer.count, #fileID, #line)
    return true
  }
}

/// Comparison whose duration does not depend on the contents.
package enum ConstantTime {
  /// Compares two byte strings; the duration depends only on their lengths.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// Patterns that make a code easy to guess: a PIN of the card, or a code of this machine.
public enum CodeWeakness: String, Sendable {
  case sameDigits = "same-digits"
  /// The digits count up or down.
  case consecutiveDigits = "consecutive-digits"

  /// `nil` if the code may be chosen.
  package init?(of digits: UnsafeBufferPointer<UInt8>) {
    switch Set(zip(digits.dropFirst(), digits).map { Int($0) - Int($1) }) {
    case [0]: self = .sameDigits
    case [1], [-1]: self = .consecutiveDigits
    default: return nil
    }
  }
}
