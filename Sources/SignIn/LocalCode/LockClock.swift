internal import Glibc

/// Time that cannot be set back: seconds since the boot of the machine, and an identifier of that boot.
package struct LockMoment: Sendable, Equatable {
  /// Boot identifier; empty if the kernel has none, and the seconds are then those of the calendar.
  package let start: String
  package let seconds: Int

  /// Seconds since this moment; `nil` if they are unknown, because the machine was restarted or a clock was set back.
  func age(at now: LockMoment) -> Int? {
    guard start == now.start, seconds >= 0, seconds <= now.seconds else { return nil }
    return now.seconds - seconds
  }
}

package struct LockClock: Sendable {
  package let now: @Sendable () -> LockMoment

  /// Kernel's clock since the boot, which includes sleep (clock_gettime(2), CLOCK_BOOTTIME); the calendar if the kernel
  /// has no boot identifier.
  package static let system = LockClock {
    let identifier = try? PlainFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
    var time = timespec()
    clock_gettime(identifier == nil ? CLOCK_REALTIME : CLOCK_BOOTTIME, &time)
    let start = String(decoding: identifier ?? [], as: UTF8.self).filter { !$0.isNewline }
    return LockMoment(start: start, seconds: time.tv_sec)
  }
}
