/// The one place where calls that block happen: commands to a card, and libcurl's transfers.
///
/// Both are serial and slow. On a thread of their own they do not take one away from the pool that all other
/// asynchronous work of a program shares.
public actor CardActor {
  private let thread = CardThread()

  /// The executor of its thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Starts the thread; it ends when the actor is let go of.
  public init() {}

  /// Runs something that blocks, after everything that was asked for before.
  public func run<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
}
