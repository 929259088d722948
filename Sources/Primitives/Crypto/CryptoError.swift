internal import COpenSSL
import Glibc
internal import Synchronization

/// OpenSSL refused an operation: wrong input sizes, no memory, or a value out of range.
///
/// It carries the name of the operation and OpenSSL's own reason text, never key material.
public struct CryptoError: Error, Sendable, Equatable {
  /// The operation, in this package's words.
  public let operation: String
  /// OpenSSL's reason string, empty if its error queue had none.
  public let reason: String

  package init(_ operation: String, reason: String = "") {
    self.operation = operation
    self.reason = reason
  }

  /// Takes the newest entry of OpenSSL's per-thread error queue and empties the queue.
  package static func fromQueue(_ operation: String) -> CryptoError {
    let code = ERR_peek_last_error()
    clearQueue()
    guard code != 0, let text = ERR_reason_error_string(code) else {
      return CryptoError(operation)
    }
    return CryptoError(operation, reason: String(cString: text))
  }

  /// Empties the queue, unless its oldest entry is an allocation failure: `heedingMemory` needs
  /// that one.
  package static func clearQueue() {
    if !isOutOfMemory { ERR_clear_error() }
  }

  /// Runs a calculation whose result may be that data are forged. If OpenSSL ran out of memory on
  /// the way, throws instead, because the result is then meaningless.
  package static func heedingMemory<Result: ~Copyable>(
    _ operation: String, _ body: () throws(CryptoError) -> Result
  ) throws(CryptoError) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    let result = try body()
    if let error = outOfMemory(operation) { throw error }
    return result
  }

  /// The error of an operation during which memory ran out, if it did.
  package static func outOfMemory(_ operation: String) -> CryptoError? {
    isOutOfMemory ? CryptoError(operation, reason: noMemory) : nil
  }

  /// OpenSSL's reason string for it.
  private static let noMemory = "malloc failure"

  /// ERR_R_MALLOC_FAILURE: 256, common to all libraries, fatal.
  private static var isOutOfMemory: Bool {
    CryptoMemory.isExhausted
      || Int(truncatingIfNeeded: ERR_peek_error()) & 0x7F_FFFF == 256 | 0x3 << 18
  }
}

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
