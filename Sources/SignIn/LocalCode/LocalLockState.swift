public import CIECard

extension LocalLock {
  /// How the lock stands, and what can be done next.
  public enum State: Sendable {
    /// There is no code: whoever uses this account on the machine gets at the session.
    case notSet(Choosing)
    /// The session waits for the code.
    case locked(Entering)
    /// The session may be used, for so many seconds more unless something is done with it.
    case unlocked(Entering, secondsLeft: Int)
    /// Too many wrong codes: the session is gone. A new login is needed, and a new code may be set.
    case exhausted(Choosing)
  }

  /// A code is set and can be entered.
  public struct Entering: Sendable {
    let lock: LocalLock
    let code: StoredCode

    /// How many digits it has.
    public var length: Int { code.length }

    /// How many wrong ones the flow takes.
    public func triesLeft(_ flow: Flow) -> Int { code.triesLeft(flow) }

    /// Unlocks.
    ///
    /// - Throws: `wrong`, `exhausted`; `length` without a try.
    public func enter(_ entered: borrowing LocalCode) throws(Failure) -> State {
      _ = try lock.spendTry(on: entered, .enter)
      return try lock.state()
    }

    /// The first step of a change: the old code.
    ///
    /// - Throws: as `enter`; its tries are counted apart.
    public func change(from old: borrowing LocalCode) throws(Failure)
      -> Choosing
    {
      Choosing(lock: lock, old: try lock.spendTry(on: old, .change))
    }
  }

  /// A new code can be chosen.
  public struct Choosing: Sendable {
    let lock: LocalLock
    /// The one in whose place it comes, which was entered.
    let old: StoredCode?

    /// How many digits the new one has, where that is not free.
    public var length: Int? { old?.length }

    /// Takes the new one.
    ///
    /// - Throws: `length`, `weak`, `unchanged`; another one can then be chosen.
    public func choose(_ new: consuming LocalCode) throws(Failure) -> Repeating {
      if let length, new.length != length { throw .length(length) }
      if let weakness = new.weakness() { throw .weak(weakness) }
      if let old, try lock.isSame(new, as: old) { throw .unchanged }
      return Repeating(
        lock: lock, old: old, new: new, mismatchesLeft: Repeating.mismatches)
    }
  }

  /// A new code was chosen and must be repeated.
  public struct Repeating: ~Copyable {
    static let mismatches = 3

    let lock: LocalLock
    let old: StoredCode?
    let new: LocalCode
    let mismatchesLeft: Int

    /// What came of a repetition.
    public enum Outcome: ~Copyable {
      /// The code is set.
      case kept(State)
      /// It was another one; it can be tried again.
      case differs(Repeating)
    }

    /// Compares, and keeps the code when both are the same.
    ///
    /// - Throws: `entriesDiffer` at the third mismatch, with nothing changed.
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
