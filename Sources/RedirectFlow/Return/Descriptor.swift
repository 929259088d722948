internal import Glibc

/// A file descriptor that is closed when its owner lets go of it.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Not for programs that this one starts, and never blocking: `poll` does the waiting.
  borrowing func prepare() {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(number) }
}

/// The time until which something may last.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(in time: Duration) { end = .now + time }

  private init(end: ContinuousClock.Instant) { self.end = end }

  /// The earlier of this one and one that begins now.
  func limited(to time: Duration) -> Deadline { Deadline(end: min(end, .now + time)) }

  var isOver: Bool { ContinuousClock.now >= end }

  /// What is left, for `poll`: rounded up, so that waiting it out is being over.
  var milliseconds: Int32 {
    let left = max(.zero, ContinuousClock.now.duration(to: end))
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
