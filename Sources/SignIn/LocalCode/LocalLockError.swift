public import CIECard
package import System

extension LocalLock {
  /// The error of a step with the local code; it never carries a digit.
  public enum Failure: Error, Equatable {
    /// The code has not the length that was set; no try was spent.
    case length(Int)
    /// The new code is easy to guess.
    case weak(PIN.Weakness)
    /// The new code is the old one.
    case unchanged
    /// The new code was repeated wrongly three times, or somebody else set another one meanwhile; nothing was changed.
    case entriesDiffer
    /// There is a code already.
    case alreadySet
    /// There is no code.
    case notSet
    /// The code is wrong; so many tries are left in this flow.
    case wrong(triesLeft: Int)
    /// It was the last try, or there was none left: the session is gone, and a new login is needed.
    case exhausted
    /// The session may be used when the code was entered.
    case locked
    /// The session could not be taken away; the next step tries it again.
    case sessionNotEnded
    /// The file holds something else than this program wrote.
    case malformed
    /// The folder or the file is not one that this user alone can have made, or the system refused it.
    case folder(Folder)
    /// OpenSSL refused an operation.
    case crypto(CryptoError)
  }

  /// A folder or a file that cannot be used; its text is for a log.
  public struct Folder: Sendable, Equatable, CustomStringConvertible {
    package let failure: PrivateFolder.Failure

    /// The reason in words of this program.
    public var description: String { "\(failure)" }
  }
}
