internal import COpenSSL

/// Bytes that must not be copied, printed or forgotten: keys, PINs, private scalars.
///
/// The buffer is made once, in `SecretMemory` where that is to be had, read through a closure, and wiped in `deinit`.
/// It has no description, and equality only in constant time.
public struct Secret: ~Copyable, @unchecked Sendable {
  // Unchecked: the buffer is written only in `init`, before the value can be shared.
  private let buffer: UnsafeMutableRawBufferPointer

  /// A secret of `count` bytes, written in place by `fill`.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    buffer =
      SecretMemory.allocate(count).map { UnsafeMutableRawBufferPointer(start: $0, count: count) }
      ?? .allocate(byteCount: count, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    fill(buffer)
  }

  /// A secret made of bytes that the caller already holds; for public values where a secret is asked for,
  /// and for the tests. The caller's array is not wiped.
  package init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// A secret of `count` random bytes.
  package init(
    randomCount count: Int, from source: inout some RandomSource
  ) throws(CryptoError) {
    var failure: CryptoError?
    self.init(count: count) { buffer in
      do throws(CryptoError) { try source.fill(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Length in bytes.
  public var count: Int { buffer.count }

  /// Lends the bytes; the pointer must not leave the closure.
  package borrowing func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    body(UnsafeBufferPointer(buffer.assumingMemoryBound(to: UInt8.self)))
  }

  /// Whether both hold the same bytes, in constant time.
  package borrowing func equals(_ other: borrowing Secret) -> Bool {
    count == other.count && CRYPTO_memcmp(buffer.baseAddress, other.buffer.baseAddress, count) == 0
  }

  deinit {
    guard !SecretMemory.free(buffer) else { return }
    OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    buffer.deallocate()
  }
}

/// Memory for secrets that is never written to the swap space.
///
/// OpenSSL's secure heap: one block, locked, out of core dumps, between two pages that nobody can touch. A block,
/// because locks of single pages do not nest: the first secret to go would unlock its neighbours.
package enum SecretMemory {
  /// Enough for the secrets of many conversations; the usual limit of an unprivileged process is 8 MiB, formerly 64 KiB.
  private static let size = 32 << 10
  private static let smallestBlock = 16
  /// Longer secrets are encrypted data of a command, and live where they did.
  private static let longestSecret = 4 << 10

  /// Lets secrets that are made from now on live there. To be called once, before there are other threads.
  ///
  /// Where the system locks no memory, the block is used all the same; where there is none, secrets live on the heap.
  package static func begin() { _ = CRYPTO_secure_malloc_init(size, smallestBlock) }

  /// Room in the block; `nil` when it is full or not there.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard CRYPTO_secure_malloc_initialized() == 1, (1...longestSecret).contains(count) else {
      return nil
    }
    // A full block is no error of a calculation that somebody asks about later.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return CRYPTO_secure_malloc(count, #fileID, #line)
  }

  /// Wipes and gives back what `allocate` gave.
  ///
  /// - Returns: false when it is none of the block.
  static func free(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard CRYPTO_secure_allocated(buffer.baseAddress) == 1 else { return false }
    CRYPTO_secure_clear_free(buffer.baseAddress, buffer.count, #fileID, #line)
    return true
  }
}

/// Comparison whose duration does not depend on the contents.
package enum ConstantTime {
  /// Whether two byte strings are equal; only their lengths may show in the duration.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
