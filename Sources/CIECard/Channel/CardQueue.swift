internal import Primitives

/// Work with cards for an asynchronous program: one at a time, in the order of the calls, on a separate thread.
///
/// Calls of a card block, up to a second, or thirty if it is mute. Swift's tasks share a few threads, and one that blocks holds one of them; a
/// reader has one card, and a card one conversation. So a server has one queue for each reader.
public actor CardQueue {
  private let thread = BlockingThread()

  /// The executor of the queue's thread, for Swift's runtime.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Starts the thread; it ends when the queue is released.
  public init() {}

  /// Does work with a card, once that of all earlier calls is done.
  ///
  /// - Parameters:
  ///   - end: ends the work if the task is cancelled meanwhile, such as `cancel()` of the work's ``PCSCContext``. It is called on another thread, and
  ///     once at most, perhaps before the work begins.
  ///   - work: a whole conversation.
  /// - Throws: the error of the work; `CancellationError`, without any work, if the task was cancelled before its turn.
  public func run<Value: Sendable>(
    whenCancelled end: @escaping @Sendable () -> Void = {},
    _ work: @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      // A closure without the actor would leave its thread.
      try perform(work)
    } onCancel: {
      end()
    }
  }

  private func perform<Value: Sendable>(_ work: () throws -> Value) rethrows -> Value {
    try work()
  }
}
