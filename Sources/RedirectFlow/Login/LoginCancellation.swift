internal import Synchronization

/// Ends every wait of a login, from any thread.
final class LoginCancellation: Sendable {
  let token = CancellationToken()
  private let cause = Mutex<LoginError?>(nil)
  private let whileWaiting = Mutex<(@Sendable () -> Void)?>(nil)

  var reason: LoginError { cause.withLock { $0 } ?? LoginError(.cancelled) }

  /// Ends the login; of several reasons the first one counts.
  func cancel(because reason: LoginError = LoginError(.cancelled)) {
    cause.withLock { if $0 == nil { $0 = reason } }
    token.cancel()
    whileWaiting.withLock { $0 }?()
  }

  /// Runs an operation that `end` can end from another thread; at once if the login is cancelled already.
  func ending<Result: ~Copyable, Failure: Error>(
    _ end: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    whileWaiting.withLock { $0 = end }
    defer { whileWaiting.withLock { $0 = nil } }
    if token.isCancelled { end() }
    return try body()
  }

  func check() throws(LoginError) {
    guard !token.isCancelled else { throw LoginError(.cancelled) }
  }
}
