internal import Glibc

/// Detached threads, one for each task; none remains after its task.
///
/// Not libdispatch: its workers do not survive fork, and a child process that uses a PKCS#11 module
/// must be able to start afresh.
package enum DetachedThread {
  /// Runs `work` on a new thread.
  ///
  /// Signals of the process are blocked in it: they belong to the threads of the host program.
  ///
  /// - Returns: false if the system cannot create the thread; the work is not done then.
  @discardableResult
  package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The new thread inherits the mask.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let handedOver = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, handedOver.toOpaque())
    guard code == 0 else {
      handedOver.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// A counting semaphore (POSIX, sem_post).
final class Semaphore: @unchecked Sendable {
  // Unchecked: POSIX semaphores may be shared by threads.
  private let handle: UnsafeMutablePointer<sem_t>

  init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  /// Increments it: wakes one waiting thread, or the next that waits.
  func signal() { sem_post(handle) }

  /// Blocks until it can be decremented.
  func wait() {
    _ = try? uninterrupted { sem_wait(handle) }
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }
}
