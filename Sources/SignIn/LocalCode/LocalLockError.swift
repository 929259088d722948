extension LocalLock {
  /// Error of a step with the local code; never has a digit of it.
  public enum Failure: Error, Equatable {
    /// The code has another length than the stored one; no try was spent.
    case length(Int)
    case weak(CodeWeakness)
    case unchanged
    /// The new code was repeated wrongly three times, or another one was set meanwhile; nothing changed.
    case entriesDiffer
    case alreadySet
    case notSet
    /// The code is wrong; the number of tries left in this flow.
    case wrong(triesLeft: Int)
    /// No try is left: the session is gone, and a new login is needed.
    case exhausted
    /// The code must be entered before the session is used.
    case locked
    /// The session could not be removed; the next step tries again.
    case sessionNotEnded
    case malformed
    /// The folder or the file could come from another user, or the system refused access.
    case folder(Folder)
    case crypto(CryptoError)
  }

  /// Folder or file that cannot be used; its text is for a log.
  public struct Folder: Sendable, Equatable, CustomStringConvertible {
    let failure: PrivateFolder.Failure

    /// Reason, in words of this program.
    public var description: String { "\(failure)" }
  }
}
