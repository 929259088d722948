internal import Glibc

/// A mutex with its value, like `Synchronization.Mutex`, but usable after fork.
///
/// Swift's Mutex on Linux stores the thread's number in the lock and caches that number in the
/// thread. A child keeps its parent's number, so the kernel refuses the first contended lock in the
/// child: the process ends. A POSIX mutex of the default kind has no owner.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
  // Unchecked: the value is accessed under the mutex only.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: consuming sending Value) {
    pthread_mutex_init(mutex, nil)
    self.value = value
  }

  /// Lends the value; blocks while another thread has it.
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

  /// Locks until `resume()`: before a fork, so that the child does not start with a lock held by a
  /// thread of its parent. To be resumed in both processes.
  package func suspend() { pthread_mutex_lock(mutex) }

  /// Ends `suspend()`.
  package func resume() { pthread_mutex_unlock(mutex) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}
