internal import Glibc

/// A counting semaphore (POSIX, sem_post).
package final class Semaphore: @unchecked Sendable {
  // Unchecked: POSIX semaphores are made to be shared by threads.
  private let handle: UnsafeMutablePointer<sem_t>

  /// A semaphore that nobody has signalled.
  package init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  /// Lets one waiting thread go on, or the next that comes.
  package func signal() { sem_post(handle) }

  /// Blocks until it is signalled.
  package func wait() {
    _ = try? uninterrupted { sem_wait(handle) }
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }
}
