internal import CMicroHTTPD
internal import Synchronization

/// The bytes of a request body, in memory that is wiped after the request: they may contain a PIN.
package final class RequestBody: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: accessed only with the lock held.
    var buffer: UnsafeMutableRawBufferPointer?
    var count = 0
    /// Bytes received, stored or not.
    var received = 0
    /// True once more bytes came than the limit.
    var isTooLong = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Bytes received, stored or not.
  package var received: Int { state.withLock { $0.received } }

  var isTooLong: Bool { state.withLock { $0.isTooLong } }

  /// Appends bytes, or drops them if the limit would be exceeded.
  func append(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.received += bytes.count
      guard !state.isTooLong, bytes.count <= limit - state.count else {
        state.isTooLong = true
        return
      }
      let buffer = state.buffer ?? .allocate(byteCount: limit, alignment: 16)
      state.buffer = buffer
      UnsafeMutableRawBufferPointer(rebasing: buffer[state.count...]).copyBytes(from: bytes)
      state.count += bytes.count
    }
  }

  /// Lends the bytes, also for writing; the pointer must not escape the closure.
  package func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    state.withLock { state in
      let whole = state.buffer ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
      return body(UnsafeMutableRawBufferPointer(rebasing: whole[..<state.count]))
    }
  }

  deinit {
    state.withLock { state in
      guard let buffer = state.buffer else { return }
      http_wipe(buffer.baseAddress, buffer.count)
      buffer.deallocate()
    }
  }
}
