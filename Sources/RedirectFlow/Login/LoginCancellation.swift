internal import Synchronization

/// Ends everything that a login may be waiting for, from any thread.
final class LoginCancellation: Sendable {
  /// What HTTP asks.
  let token = CancellationToken()
  private let whileWaiting = Mutex<(@Sendable () -> Void)?>(nil)

  /// Ends the login.
  func cancel() {
    token.cancel()
    whileWaiting.withLock { $0 }?()
  }

  /// Does something that `end` can end from another thread.
  func ending<Result>(
    _ end: @escaping @Sendable () -> Void, _ body: () throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    whileWaiting.withLock { $0 = end }
    defer { whileWaiting.withLock { $0 = nil } }
    try check()
    return try body()
  }

  /// - Throws: `cancelled` once it is.
  func check() throws(LoginError) {
    guard !token.isCancelled else { throw .cancelled }
  }
}
