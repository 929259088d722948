internal import CMicroHTTPD
internal import Synchronization

/// A request and its response, which may be given later and from another thread.
package final class Exchange: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: accessed only with the lock held.
    var reply: Reply?
    var isWhole = false
    /// The connection while it is suspended for lack of a response.
    var waiting: OpaquePointer?
    /// Called when the client disconnects before the response.
    var whenGone: (@Sendable () -> Void)?
  }

  private enum Reply: Sendable {
    case answer(Answer)
    case stream(EventStream, Answer)
  }

  package let head: RequestHead
  package let body: RequestBody
  /// The status that refuses it for its headers. Its body is read and dropped before the answer, because clients that are
  /// still sending would see a broken connection in its place (RFC 9112 §9.6).
  let refusal: Int?
  private let state = Mutex(State())

  init(_ head: RequestHead, bodyLimit: Int, refusedWith refusal: Int? = nil) {
    self.head = head
    self.refusal = refusal
    body = RequestBody(limit: bodyLimit)
  }

  /// Sends the response; a second call is ignored.
  package func answer(_ answer: Answer) { reply(.answer(answer)) }

  /// Responds with a stream of events.
  ///
  /// - Parameter headers: in addition to those of every response.
  package func openStream(headers: [(name: String, value: String)] = []) -> EventStream {
    let stream = EventStream()
    var answer = Answer(200, type: "text/event-stream")
    answer.headers = headers
    reply(.stream(stream, answer))
    return stream
  }

  /// Sets a handler for a client that disconnects before it gets its response.
  package func whenGone(_ body: @escaping @Sendable () -> Void) {
    state.withLock { if $0.reply == nil { $0.whenGone = body } }
  }

  private func reply(_ reply: Reply) {
    state.withLock { state in
      guard state.reply == nil else { return }
      state.reply = reply
      state.whenGone = nil
      guard let connection = state.waiting else { return }
      state.waiting = nil
      MHD_resume_connection(connection)
    }
  }

  func leave() {
    let whenGone = state.withLock { state in
      defer { state.whenGone = nil }
      return state.whenGone
    }
    whenGone?()
  }

  /// True at the first call after the end of the body, then false.
  var isFirstEnd: Bool {
    state.withLock { state in
      defer { state.isWhole = true }
      return !state.isWhole
    }
  }

  var stream: EventStream? {
    state.withLock { state in
      if case .stream(let stream, _) = state.reply { stream } else { nil }
    }
  }

  /// Queues the response, or suspends the connection until there is one.
  func proceed(on connection: OpaquePointer) -> MHD_Result {
    let reply = state.withLock { state in
      if state.reply == nil {
        state.waiting = connection
        MHD_suspend_connection(connection)
      }
      return state.reply
    }
    switch reply {
    case nil: return .YES
    case .answer(let answer): return answer.queue(on: connection, isLast: false)
    case .stream(let stream, let answer): return stream.queue(on: connection, with: answer)
    }
  }
}
