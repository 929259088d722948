internal import COpenSSL
import Glibc
internal import Synchronization

/// OpenSSL's memory, observed: of an allocation failure deep inside it often nothing is left but a
/// wrong result, and algorithms that could not be loaded stay missing.
package enum CryptoMemory {
  private static let hasFailed = Atomic(false)

  /// Observes OpenSSL's allocations from now on. Call it first in a program, because OpenSSL takes
  /// no allocator once it has memory; without it, only failures that OpenSSL reports are known.
  package static func observe() {
    _ = CRYPTO_set_mem_functions(
      { size, _, _ in CryptoMemory.noting(malloc(size), size) },
      { block, size, _, _ in CryptoMemory.noting(realloc(block, size), size) },
      { block, _, _ in free(block) })
  }

  /// True once an observed allocation has failed: from then on no result of this process shows that
  /// data are forged.
  static var isExhausted: Bool { hasFailed.load(ordering: .relaxed) }

  private static func noting(
    _ block: UnsafeMutableRawPointer?, _ size: Int
  ) -> UnsafeMutableRawPointer? {
    if block == nil, size > 0 { hasFailed.store(true, ordering: .relaxed) }
    return block
  }
}
