internal import CMicroHTTPD
internal import Synchronization

/// The bytes of a request, in memory that is wiped when the request is over: there may be a PIN in them.
package final class RequestBody: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: only reached with the lock held.
    var buffer: UnsafeMutableRawBufferPointer?
    var count = 0
    /// All that came, kept or not.
    var received = 0
    /// Whether more came than may be.
    var isTooLong = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// How many bytes came, kept or not.
  var received: Int { state.withLock { $0.received } }

  /// Whether more came than may be.
  var isTooLong: Bool { state.withLock { $0.isTooLong } }

  /// Adds bytes; of too many none is kept.
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

  /// Lends all bytes, also for writing; the pointer must not leave the closure.
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
