internal import Glibc

/// A value that one thread at a time may use: what `Synchronization.Mutex` is, and good after fork as well.
///
/// Swift's Mutex on Linux writes the number of the thread into the lock and keeps that number in the thread. A child goes on
/// with its parent's, and the kernel then refuses the first lock that two of the child's threads want: the process ends. A
/// mutex of POSIX has no owner.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
  // Unchecked: the value is used under the mutex only.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: consuming sending Value) {
    pthread_mutex_init(mutex, nil)
    self.value = value
  }

  /// Lends the value; waits while another thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Lends the value, unless another thread has it.
  package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Waits until no thread has the value, and keeps it from all of them: before a fork, so that the child does not begin
  /// with a lock that a thread of its parent holds. `resume()` ends it, in both.
  package func suspend() { pthread_mutex_lock(mutex) }

  /// Ends `suspend()`.
  package func resume() { pthread_mutex_unlock(mutex) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}
