internal import CPCSCLite

/// Makes calls to the PC/SC service, each on a separate thread, so that the caller's time limit is
/// kept.
///
/// Several of those calls have no time limit: connecting and beginning a transaction wait for as
/// long as another program holds the card, transmitting for as long as a driver does, any of them
/// for a service that is stopped. A call that is overdue or cancelled cannot be interrupted; it is
/// abandoned, and open handles are released as soon as it returns. After that the runner accepts no
/// more calls.
final class CallRunner: Sendable {
  /// Serialises the callers.
  private let turn = Lock<Void>(())
  private let state = Lock(State())

  private struct State {
    /// The code with which every further call fails.
    var ended: UInt32?
    /// Wakes the waiting caller.
    var waiting: Signal?
    /// True while a call has not returned.
    var isCalling = false
    var release: (@Sendable () -> Void)?
  }

  /// Sets a function to be called once, when the runner ends.
  func whenEnded(_ release: @escaping @Sendable () -> Void) {
    state.withLock { $0.release = release }
  }

  var hasEnded: Bool { state.withLock { $0.ended != nil } }

  /// - Throws: the error of the call; SCARD_E_TIMEOUT if it is overdue, SCARD_E_CANCELLED after
  ///   `cancel`.
  func run<Value: Sendable>(
    _ function: PCSCFunction, within limit: Duration,
    _ call: @escaping @Sendable () throws(PCSCFailure) -> Value
  ) throws(PCSCFailure) -> Value {
    let outcome = turn.withLock { _ -> Result<Value, PCSCFailure> in
      let answer = Answer<Value>()
      if let code = begin(answer.ready) {
        return .failure(PCSCFailure(function: function, code: code))
      }
      let isCalling = DetachedThread.start { [self] in
        let result = Result(catching: call)
        finish()
        answer.set(result)
      }
      guard isCalling else {
        finish()
        return .failure(PCSCFailure(function: function, code: end(code: SCARD_E_NO_MEMORY)))
      }
      answer.ready.wait(atMost: limit)
      if let result = answer.value {
        state.withLock { $0.waiting = nil }
        return result
      }
      return .failure(PCSCFailure(function: function, code: end(code: SCARD_E_TIMEOUT)))
    }
    return try outcome.get()
  }

  /// Makes the running call and all later ones fail with SCARD_E_CANCELLED, at once.
  ///
  /// - Parameter interrupt: makes the service give up the running call; it may hang as well, so it
  ///   runs in the background.
  func cancel(_ interrupt: @escaping @Sendable () -> Void) {
    _ = end(code: SCARD_E_CANCELLED)
    DetachedThread.start(interrupt)
  }

  /// Registers the waiting caller, unless the runner has ended: then returns the code of its end.
  private func begin(_ ready: Signal) -> UInt32? {
    state.withLock { state in
      guard state.ended == nil else { return state.ended }
      state.waiting = ready
      state.isCalling = true
      return nil
    }
  }

  /// Called when a call has returned; if it was overdue or cancelled, releases the open handles.
  private func finish() {
    let release = state.withLock { state in
      state.isCalling = false
      return state.ended == nil ? nil : state.release.take()
    }
    release?()
  }

  /// Ends the runner, unless it has already ended; returns the code of its end.
  private func end(code: LONG) -> UInt32 {
    let (code, release) = state.withLock { state -> (UInt32, (@Sendable () -> Void)?) in
      state.waiting?.signal()
      state.waiting = nil
      if let ended = state.ended { return (ended, nil) }
      let code = UInt32(truncatingIfNeeded: code)
      state.ended = code
      return (code, state.isCalling ? nil : state.release.take())
    }
    if let release { Self.finish(release) }
    return code
  }

  deinit {
    if let release = state.withLock({ $0.release }) { Self.finish(release) }
  }

  /// Releases on another thread, because the service may hang, and waits for it a moment, because a host that ends
  /// meanwhile takes the library's memory from under the call.
  private static func finish(_ release: @escaping @Sendable () -> Void) {
    let done = Signal()
    let isStarted = DetachedThread.start {
      release()
      done.signal()
    }
    if isStarted { done.wait(atMost: .milliseconds(500)) }
  }
}

private final class Answer<Value: Sendable>: Sendable {
  let ready = Signal()
  private let result = Lock<Result<Value, PCSCFailure>?>(nil)

  var value: Result<Value, PCSCFailure>? { result.withLock { $0 } }

  func set(_ value: Result<Value, PCSCFailure>) {
    result.withLock { $0 = value }
    ready.signal()
  }
}
