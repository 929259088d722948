internal import CIECard

/// Interrupts the waits of any number of threads.
package final class Cancellation: Sendable {
  private let signal = Signal()
  private let state = Lock(State())

  private struct State {
    var isCancelled = false
    var last = 0
    var interrupts: [Int: @Sendable () -> Void] = [:]
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    let interrupts = state.withLock { state in
      state.isCancelled = true
      defer { state.interrupts = [:] }
      return Array(state.interrupts.values)
    }
    signal.signal()
    for interrupt in interrupts { interrupt() }
  }

  /// Runs a blocking function.
  ///
  /// - Parameters:
  ///   - interrupt: called on cancellation; immediately if already cancelled.
  ///   - body: the blocking function.
  package func ending<Failure: Error>(
    _ interrupt: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let (isCancelled, number) = state.withLock { state in
      state.last &+= 1
      if !state.isCancelled { state.interrupts[state.last] = interrupt }
      return (state.isCancelled, state.last)
    }
    if isCancelled { interrupt() }
    defer { state.withLock { $0.interrupts[number] = nil } }
    try body()
  }

  /// Sleeps until the time limit or cancellation.
  func pause(_ limit: Duration) { signal.wait(atMost: limit) }
}
