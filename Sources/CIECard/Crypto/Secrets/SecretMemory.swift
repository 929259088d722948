internal import COpenSSL

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
