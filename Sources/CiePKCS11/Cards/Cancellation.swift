internal import CIECard

/// Ends what somebody waits for.
package final class Cancellation: Sendable {
  private let signal = Signal()
  private let state = Lock(State())

  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    let interrupt = state.withLock { state in
      state.isCancelled = true
      return state.interrupt.take()
    }
    signal.give()
    interrupt?()
  }

  /// Has `interrupt` called when it is cancelled; at once, if it is.
  package func whenCancelled(_ interrupt: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.interrupt = interrupt }
      return state.isCancelled
    }
    if isCancelled { interrupt() }
  }

  /// Does nothing for a while.
  func pause(_ limit: Duration) { signal.wait(atMost: limit) }
}
