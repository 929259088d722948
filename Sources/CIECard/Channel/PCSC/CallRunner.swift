internal import CPCSCLite
internal import Dispatch
internal import Synchronization

/// Makes calls into the PC/SC service on a thread of its own, so that nobody waits longer than told.
///
/// Several of those calls have no time limit: connecting and beginning a transaction wait for as long as
/// another program holds the card, transmitting for as long as a driver does, any of them for a service that
/// is stopped. A call that is overdue or cancelled cannot be interrupted; it is left behind, and what is still
/// open is released as soon as it returns. After that the runner takes no more calls.
final class CallRunner: Sendable {
  private let queue = DispatchQueue(label: "PC/SC")
  /// One caller after the other.
  private let turn = Mutex<Void>(())
  private let state = Mutex(State())

  private struct State {
    /// The code that every call from now on fails with.
    var ended: UInt32?
    /// Wakes the caller that waits.
    var waiting: DispatchSemaphore?
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
      queue.async { answer.set(Result(catching: call)) }
      _ = answer.ready.wait(timeout: .now() + limit.seconds)
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
    DispatchQueue(label: "PC/SC cancel").async(execute: interrupt)
  }

  /// Notes who waits, unless the runner has ended: then the code of its end.
  private func begin(_ ready: DispatchSemaphore) -> UInt32? {
    state.withLock { state in
      if state.ended == nil { state.waiting = ready }
      return state.ended
    }
  }

  /// Ends the runner, unless that has happened; the code of its end.
  private func end(code: LONG) -> UInt32 {
    state.withLock { state in
      state.waiting?.signal()
      state.waiting = nil
      if let ended = state.ended { return ended }
      let code = UInt32(truncatingIfNeeded: code)
      state.ended = code
      if let release = state.release { queue.async(execute: release) }
      state.release = nil
      return code
    }
  }

  deinit {
    if let release = state.withLock({ $0.release }) { queue.async(execute: release) }
  }
}

/// Where a call leaves its result.
private final class Answer<Value: Sendable>: Sendable {
  let ready = DispatchSemaphore(value: 0)
  private let result = Mutex<Result<Value, PCSCFailure>?>(nil)

  var value: Result<Value, PCSCFailure>? { result.withLock { $0 } }

  func set(_ value: Result<Value, PCSCFailure>) {
    result.withLock { $0 = value }
    ready.signal()
  }
}

extension Duration {
  /// In seconds, with fractions.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
