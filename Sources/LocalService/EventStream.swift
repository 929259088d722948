internal import CMicroHTTPD
internal import Synchronization

/// Server-sent events on their way to a client (HTML, §9.2).
package final class EventStream: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: accessed only with the lock held.
    var queue: [UInt8] = []
    var isOver = false
    /// The connection while it is suspended because there is nothing to send.
    var sleeping: OpaquePointer?
  }

  /// Limit of unread data for a slow client; beyond it the stream ends, and the client reconnects.
  private static let capacity = 64 << 10

  private let state = Mutex(State())

  package var isOver: Bool { state.withLock { $0.isOver } }

  init() {}

  /// Sends an event; its texts must not contain line ends.
  package func send(event: String, id: Int, data: String) {
    push([UInt8]("event: \(event)\nid: \(id)\ndata: \(data)\n\n".utf8))
  }

  /// Sends a comment line, which clients ignore, so that a broken connection is noticed.
  package func beat() { push([UInt8](":\n\n".utf8)) }

  private func push(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = state.queue.count + bytes.count > Self.capacity
      if !state.isOver { state.queue += bytes }
      Self.wake(&state)
    }
  }

  /// Ends the stream after the data already queued.
  package func end() {
    state.withLock { state in
      state.isOver = true
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    guard let connection = state.sleeping else { return }
    state.sleeping = nil
    MHD_resume_connection(connection)
  }

  func queue(on connection: OpaquePointer, with answer: Answer) -> MHD_Result {
    let context = Unmanaged.passRetained(Source(stream: self, connection: connection))
    let response = http_stream(
      { context, _, buffer, room in
        guard let context, let buffer else { return -1 }
        let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        return source.stream.read(into: buffer, room, source.connection)
      }, context.toOpaque(),
      { context in
        guard let context else { return }
        let source = Unmanaged<Source>.fromOpaque(context).takeRetainedValue()
        source.stream.state.withLock { $0.isOver = true }
      })
    guard let response else {
      context.release()
      return .NO
    }
    defer { MHD_destroy_response(response) }
    answer.add(to: response)
    return MHD_queue_response(connection, 200, response)
  }

  /// The library's reference to the stream.
  private final class Source: @unchecked Sendable {
    // Unchecked: the connection is used only for calls that the library allows from any thread.
    let stream: EventStream
    let connection: OpaquePointer

    init(stream: EventStream, connection: OpaquePointer) {
      self.stream = stream
      self.connection = connection
    }
  }

  /// - Returns: the number of bytes; 0 after suspending the connection; -1 at the end.
  private func read(
    into buffer: UnsafeMutablePointer<CChar>, _ room: Int, _ connection: OpaquePointer
  ) -> Int {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        if state.isOver { return -1 }
        state.sleeping = connection
        MHD_suspend_connection(connection)
        return 0
      }
      let block = state.queue.prefix(room)
      UnsafeMutableRawBufferPointer(start: buffer, count: room).copyBytes(from: block)
      state.queue.removeFirst(block.count)
      return block.count
    }
  }
}
