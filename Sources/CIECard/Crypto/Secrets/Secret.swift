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
