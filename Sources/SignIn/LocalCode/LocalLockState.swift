internal import Glibc

extension LocalLock {
  /// State of the lock, with the steps that are legal next.
  public enum State: Sendable {
    /// No code is set: every program of this user can use the session.
    case notSet(Choosing)
    /// The code is required.
    case locked(Entering)
    /// The session may be used, for this many seconds unless it is used again.
    case unlocked(Entering, secondsLeft: Int)
    /// Too many wrong codes: the session is gone. A new login is needed, and a new code may be set.
    case exhausted(Choosing)
  }

  /// State in which a code is set and can be entered.
  public struct Entering: Sendable {
    let lock: LocalLock
    let code: StoredCode

    /// Number of digits of the code.
    public var length: Int { code.length }

    /// Number of wrong codes left in a flow.
    public func triesLeft(_ flow: Flow) -> Int { code.triesLeft(flow) }

    /// Unlocks.
    ///
    /// - Throws: `wrong`, `exhausted`; `length` without a try.
    public func enter(_ entered: borrowing LocalCode) throws(Failure) -> State {
      _ = try lock.spendTry(on: entered, .enter)
      return try lock.state()
    }

    /// Enters the old code, as the first step of a change.
    ///
    /// - Throws: as `enter`; its tries are counted separately.
    public func change(from old: borrowing LocalCode) throws(Failure)
      -> Choosing
    {
      Choosing(lock: lock, old: try lock.spendTry(on: old, .change))
    }
  }

  /// State in which a new code can be chosen.
  public struct Choosing: Sendable {
    let lock: LocalLock
    /// Code to replace, which was entered.
    let old: StoredCode?

    /// Required number of digits of the new code; `nil` for a free choice.
    public var length: Int? { old?.length }

    /// Chooses the new code.
    ///
    /// - Throws: `length`, `weak`, `unchanged`; then another one can be chosen.
    public func choose(_ new: consuming LocalCode) throws(Failure) -> Repeating {
      if let length, new.length != length { throw .length(length) }
      if let weakness = new.weakness() { throw .weak(weakness) }
      if let old, try lock.isSame(new, as: old) { throw .unchanged }
      return Repeating(
        lock: lock, old: old, new: new, mismatchesLeft: Repeating.mismatches)
    }
  }

  /// State in which a chosen code must be repeated.
  public struct Repeating: ~Copyable {
    static let mismatches = 3

    let lock: LocalLock
    let old: StoredCode?
    let new: LocalCode
    let mismatchesLeft: Int

    /// Result of a repetition.
    public enum Outcome: ~Copyable {
      case kept(State)
      /// They differ; it can be repeated again.
      case differs(Repeating)
    }

    /// Compares the repetition, and stores the code if both are equal.
    ///
    /// - Throws: `entriesDiffer` at the third mismatch; nothing changed.
    public consuming func `repeat`(
      _ again: borrowing Secret
    ) throws(Failure) -> Outcome {
      guard new.equals(again) else {
        guard mismatchesLeft > 1 else { throw .entriesDiffer }
        return .differs(
          Repeating(lock: lock, old: old, new: new, mismatchesLeft: mismatchesLeft - 1))
      }
      return .kept(try lock.keep(new, for: old))
    }
  }
}

/// Time that cannot be set back: seconds since the boot of the machine, and an identifier of that boot.
struct LockMoment: Sendable, Equatable {
  /// Boot identifier; empty if the kernel has none, and the seconds are then those of the calendar.
  let start: String
  let seconds: Int

  /// Seconds since this moment; `nil` if they are unknown, because the machine was restarted or a clock was set back.
  func age(at now: LockMoment) -> Int? {
    guard start == now.start, seconds >= 0, seconds <= now.seconds else { return nil }
    return now.seconds - seconds
  }
}

struct LockClock: Sendable {
  let now: @Sendable () -> LockMoment

  /// Kernel's clock since the boot, which includes sleep (clock_gettime(2), CLOCK_BOOTTIME); the calendar if the kernel
  /// has no boot identifier.
  static let system = LockClock {
    let identifier = try? PlainFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
    var time = timespec()
    clock_gettime(identifier == nil ? CLOCK_REALTIME : CLOCK_BOOTTIME, &time)
    let start = String(decoding: identifier ?? [], as: UTF8.self).filter { !$0.isNewline }
    return LockMoment(start: start, seconds: time.tv_sec)
  }
}
