internal import Glibc

/// A counting semaphore (POSIX, sem_post).
package final class Semaphore: @unchecked Sendable {
  // Unchecked: POSIX semaphores may be shared by threads.
  private let handle: UnsafeMutablePointer<sem_t>

  package init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  /// Increments it: wakes one waiting thread, or the next that waits.
  package func signal() { sem_post(handle) }

  /// Blocks until it can be decremented.
  package func wait() {
    _ = try? uninterrupted { sem_wait(handle) }
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }
}
