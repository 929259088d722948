internal import CPCSCLite

/// Makes calls into the PC/SC service, each on a thread of its own, so that nobody waits longer than told.
///
/// Several of those calls have no time limit: connecting and beginning a transaction wait for as long as
/// another program holds the card, transmitting for as long as a driver does, any of them for a service that
/// is stopped. A call that is overdue or cancelled cannot be interrupted; it is left behind, and what is still
/// open is released as soon as it returns. After that the runner takes no more calls.
final class CallRunner: Sendable {
  /// One caller after the other.
  private let turn = Lock<Void>(())
  private let state = Lock(State())

  private struct State {
    /// The code that every call from now on fails with.
    var ended: UInt32?
    /// Wakes the caller that waits.
    var waiting: Signal?
    /// Whether a call has not returned yet.
    var isCalling = false
    /// Releases what is open.
    var release: (@Sendable () -> Void)?
  }

  /// Has `release` called once, when the runner ends.
  func whenEnded(_ release: @escaping @Sendable () -> Void) {
    state.withLock { $0.release = release }
  }

  /// Whether it takes no more calls.
  var hasEnded: Bool { state.withLock { $0.ended != nil } }

  /// Makes a call.
  ///
  /// - Throws: what the call throws; SCARD_E_TIMEOUT when it is overdue, SCARD_E_CANCELLED after `cancel`.
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
  /// - Parameter interrupt: makes the service give up the running call; it may hang, too, so nobody waits for it.
  func cancel(_ interrupt: @escaping @Sendable () -> Void) {
    _ = end(code: SCARD_E_CANCELLED)
    DetachedThread.start(interrupt)
  }

  /// Notes who waits, unless the runner has ended: then the code of its end.
  private func begin(_ ready: Signal) -> UInt32? {
    state.withLock { state in
      guard state.ended == nil else { return state.ended }
      state.waiting = ready
      state.isCalling = true
      return nil
    }
  }

  /// A call has returned; if it was overdue or cancelled, what is open is released now.
  private func finish() {
    let release = state.withLock { state in
      state.isCalling = false
      return state.ended == nil ? nil : state.release.take()
    }
    release?()
  }

  /// Ends the runner, unless that has happened; the code of its end.
  private func end(code: LONG) -> UInt32 {
    let (code, release) = state.withLock { state -> (UInt32, (@Sendable () -> Void)?) in
      state.waiting?.give()
      state.waiting = nil
      if let ended = state.ended { return (ended, nil) }
      let code = UInt32(truncatingIfNeeded: code)
      state.ended = code
      return (code, state.isCalling ? nil : state.release.take())
    }
    if let release { DetachedThread.start(release) }
    return code
  }

  deinit {
    if let release = state.withLock({ $0.release }) { DetachedThread.start(release) }
  }
}

/// Where a call leaves its result.
private final class Answer<Value: Sendable>: Sendable {
  let ready = Signal()
  private let result = Lock<Result<Value, PCSCFailure>?>(nil)

  var value: Result<Value, PCSCFailure>? { result.withLock { $0 } }

  func set(_ value: Result<Value, PCSCFailure>) {
    result.withLock { $0 = value }
    ready.give()
  }
}
