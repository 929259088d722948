package import CIECard

/// How the lock stands, and what can be done next.
package enum LocalLockState: Sendable {
  /// There is no code: whoever uses this account on the machine gets at the session.
  case notSet(ChoosingCode)
  /// The session waits for the code.
  case locked(EnteringCode)
  /// The session may be used, for so many seconds more unless something is done with it.
  case unlocked(EnteringCode, secondsLeft: Int)
  /// Too many wrong codes: the session is gone. A new login is needed, and a new code may be set.
  case exhausted(ChoosingCode)
}

/// A code is set and can be entered.
package struct EnteringCode: Sendable {
  let lock: LocalLock
  let code: StoredCode

  /// How many digits it has.
  package var length: Int { code.length }

  /// How many wrong ones the flow takes.
  package func triesLeft(_ flow: LocalCodeFlow) -> Int { code.triesLeft(flow) }

  /// Unlocks.
  ///
  /// - Throws: `wrong`, `exhausted`; `length` without a try.
  package func enter(_ entered: borrowing LocalCode) throws(LocalLockError) -> LocalLockState {
    _ = try lock.spendTry(on: entered, .enter)
    return try lock.state()
  }

  /// The first step of a change: the old code.
  ///
  /// - Throws: as `enter`; its tries are counted apart.
  package func change(from old: borrowing LocalCode) throws(LocalLockError) -> ChoosingCode {
    ChoosingCode(lock: lock, old: try lock.spendTry(on: old, .change))
  }
}

/// A new code can be chosen.
package struct ChoosingCode: Sendable {
  let lock: LocalLock
  /// The one in whose place it comes, which was entered.
  let old: StoredCode?

  /// How many digits the new one has, where that is not free.
  package var length: Int? { old?.length }

  /// Takes the new one.
  ///
  /// - Throws: `length`, `weak`, `unchanged`; another one can then be chosen.
  package func choose(_ new: consuming LocalCode) throws(LocalLockError) -> RepeatingCode {
    if let length, new.length != length { throw .length(length) }
    if let weakness = new.weakness() { throw .weak(weakness) }
    if let old, try lock.isSame(new, as: old) { throw .unchanged }
    return RepeatingCode(lock: lock, old: old, new: new, mismatchesLeft: RepeatingCode.mismatches)
  }
}

/// A new code was chosen and must be repeated.
package struct RepeatingCode: ~Copyable {
  static let mismatches = 3

  let lock: LocalLock
  let old: StoredCode?
  let new: LocalCode
  let mismatchesLeft: Int

  /// What came of a repetition.
  package enum Outcome: ~Copyable {
    /// The code is set.
    case kept(LocalLockState)
    /// It was another one; it can be tried again.
    case differs(RepeatingCode)
  }

  /// Compares, and keeps the code when both are the same.
  ///
  /// - Throws: `entriesDiffer` at the third mismatch, with nothing changed.
  package consuming func `repeat`(
    _ again: borrowing Secret
  ) throws(LocalLockError) -> Outcome {
    guard new.equals(again) else {
      guard mismatchesLeft > 1 else { throw .entriesDiffer }
      return .differs(
        RepeatingCode(lock: lock, old: old, new: new, mismatchesLeft: mismatchesLeft - 1))
    }
    return .kept(try lock.keep(new, for: old))
  }
}
