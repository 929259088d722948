import Glibc
import Synchronization
import Primitives

/// Held while descriptors are made and while a child starts: `pipe` cannot mark its ends close-on-exec in one
/// step, and an end that leaks into another test's child would keep the pipe open.
let spawning = Mutex(())

/// A pipe between the test and a child: our end never blocks, the child's end is handed over at the start.
final class ProcessPipe {
  enum Direction { case toChild, fromChild }

  /// The test's end; -1 once closed.
  private(set) var ours: CInt
  /// The child's end, numbered high so that no `dup2` in the child can overwrite it; -1 once handed over.
  private(set) var theirs: CInt

  init(_ direction: Direction) throws(ProcessFailure) {
    (ours, theirs) = spawning.withLock { _ in
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else { return (-1, -1) }
      let (mine, child) = direction == .toChild ? (ends[1], ends[0]) : (ends[0], ends[1])
      _ = fcntl(mine, F_SETFD, FD_CLOEXEC)
      let high = fcntl(child, F_DUPFD_CLOEXEC, 128)
      close(child)
      return (mine, high)
    }
    guard ours >= 0, theirs >= 0 else { throw ProcessFailure("pipe", errno) }
    _ = fcntl(ours, F_SETFL, O_NONBLOCK)
  }

  /// Closes the child's end in this process, once the child has its own copy.
  func handOver() {
    if theirs >= 0 { close(theirs) }
    theirs = -1
  }

  /// Closes the test's end: the child reads to the end, or its writing fails.
  func finish() {
    if ours >= 0 { close(ours) }
    ours = -1
  }

  deinit {
    handOver()
    finish()
  }
}

/// A system call for running a binary has failed.
public struct ProcessFailure: Error, CustomStringConvertible {
  /// The call, and the reason.
  public let description: String

  init(_ call: String, _ code: CInt) {
    description = "\(call): \(SystemError(code).message)"
  }
}
