internal import Glibc
internal import System

/// A point in time that nobody can set back: seconds since the machine was started, and which start that was.
package struct LockMoment: Sendable, Equatable {
  /// The start of the machine; empty where the kernel does not say, and the seconds are then those of the calendar.
  package let start: String
  /// Seconds since then.
  package let seconds: Int

  package init(start: String, seconds: Int) {
    self.start = start
    self.seconds = seconds
  }

  /// How many seconds ago it was; `nil` when that cannot be told, as when the machine was started anew or a clock was
  /// set back.
  func age(at now: LockMoment) -> Int? {
    guard start == now.start, seconds >= 0, seconds <= now.seconds else { return nil }
    return now.seconds - seconds
  }
}

/// What tells the time to a lock.
package struct LockClock: Sendable {
  package let now: @Sendable () -> LockMoment

  package init(now: @escaping @Sendable () -> LockMoment) { self.now = now }

  /// The kernel's clock since its start, which also runs while the machine sleeps (clock_gettime(2), CLOCK_BOOTTIME).
  package static let system = LockClock {
    let identifier = try? PlainFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
    var time = timespec()
    clock_gettime(identifier == nil ? CLOCK_REALTIME : CLOCK_BOOTTIME, &time)
    let start = String(decoding: identifier ?? [], as: UTF8.self).filter { !$0.isNewline }
    return LockMoment(start: start, seconds: time.tv_sec)
  }
}
