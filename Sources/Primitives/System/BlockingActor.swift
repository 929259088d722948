internal import Synchronization

/// The one place for blocking calls: commands to a card, and libcurl's transfers.
///
/// Both are serial and slow. On their own thread they do not take one from the pool that all other asynchronous
/// work of a program shares.
package actor BlockingActor {
  private let thread = BlockingThread()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Starts the thread; it ends when the actor is released.
  package init() {}

  /// Runs a blocking operation, after all earlier ones.
  package func run<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
}

/// A serial executor with its own thread.
package final class BlockingThread: SerialExecutor {
  private let work = Work()

  /// Starts the thread; it ends when the executor is released.
  package init() { DetachedThread.start { [work] in work.loop() } }

  package func enqueue(_ job: consuming ExecutorJob) {
    work.add(UnownedJob(job), of: self)
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  deinit { work.close() }
}

/// The state that the thread shares with the executor; it outlives both.
private final class Work: Sendable {
  /// A job keeps its executor: the last one may be the one that releases the actor.
  private struct Entry {
    let job: UnownedJob
    let executor: BlockingThread
  }

  private struct State {
    var entries: [Entry] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = Semaphore()

  func add(_ job: UnownedJob, of executor: BlockingThread) {
    state.withLock { $0.entries.append(Entry(job: job, executor: executor)) }
    wake.signal()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  /// Runs the queued jobs until the executor is gone.
  func loop() {
    while let entry = next() {
      entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
    }
  }

  private func next() -> Entry? {
    while true {
      let (entry, isClosed) = state.withLock { state in
        (state.entries.isEmpty ? nil : state.entries.removeFirst(), state.isClosed)
      }
      if let entry { return entry }
      if isClosed { return nil }
      wake.wait()
    }
  }
}
