internal import Glibc

/// Wakes waiting threads, until it is withdrawn.
///
/// A POSIX condition variable, which like `DetachedThread` also works after fork.
package final class Signal: @unchecked Sendable {
  // Unchecked: both may be used by several threads, and `isSignalled` only under the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isSignalled = false

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A change of the system clock must not prolong the wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  /// Wakes all current and later waiters.
  package func signal() {
    pthread_mutex_lock(mutex)
    isSignalled = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Makes later waiters block again.
  package func withdraw() {
    pthread_mutex_lock(mutex)
    isSignalled = false
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the signal is sent, or the time limit is over.
  ///
  /// - Returns: true if it was sent.
  @discardableResult
  package func wait(atMost limit: Duration) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = max(.zero, min(limit, .seconds(365 * 86_400))).components
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isSignalled, pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT {}
    return isSignalled
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }
}
