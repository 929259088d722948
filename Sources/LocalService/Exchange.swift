internal import CMicroHTTPD
internal import Synchronization

/// A request and its answer, which may be given from another thread and later.
package final class Exchange: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: only reached with the lock held.
    var reply: Reply?
    var isWhole = false
    /// The connection while it is suspended until there is an answer.
    var waiting: OpaquePointer?
    /// What is to be done when the client goes away before that.
    var whenGone: (@Sendable () -> Void)?
  }

  private enum Reply: Sendable {
    case answer(Answer)
    case stream(EventStream, Answer)
  }

  package let head: RequestHead
  package let body: RequestBody
  private let state = Mutex(State())

  init(_ head: RequestHead, bodyLimit: Int) {
    self.head = head
    body = RequestBody(limit: bodyLimit)
  }

  /// Answers it; a second answer is none.
  package func answer(_ answer: Answer) { reply(.answer(answer)) }

  /// Answers it with events.
  ///
  /// - Parameter headers: beside those that every answer has.
  package func openStream(headers: [(name: String, value: String)] = []) -> EventStream {
    let stream = EventStream()
    var answer = Answer(200, type: "text/event-stream")
    answer.headers = headers
    reply(.stream(stream, answer))
    return stream
  }

  /// What is to be done when the client goes away before it has its answer.
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

  /// The client has gone.
  func leave() {
    let whenGone = state.withLock { state in
      defer { state.whenGone = nil }
      return state.whenGone
    }
    whenGone?()
  }

  /// Whether the end of the body is seen for the first time.
  var isFirstEnd: Bool {
    state.withLock { state in
      defer { state.isWhole = true }
      return !state.isWhole
    }
  }

  /// The stream of a client that hears events.
  var stream: EventStream? {
    state.withLock { state in
      if case .stream(let stream, _) = state.reply { stream } else { nil }
    }
  }

  /// Has the library send the answer, or wait for it.
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
