import CIECard
import Glibc
import Messages
import SignIn

extension LocalLock {
  /// That of this user's session.
  static func ofUser() throws(Failure) -> LocalLock {
    let folder = SessionStore.usualFolder { getenv($0).map { String(cString: $0) } }
    guard let folder else { throw .usage(.noHome) }
    let store = SessionStore(folder: folder)
    return LocalLock(folder: folder) { (try? store.remove()) != nil }
  }

  /// Lets a command at the session of this user, unless it is locked.
  static func admitUser() throws(Failure) {
    let lock = try ofUser()
    try Failure.atLock { () throws(LocalLockError) in try lock.admit() }
  }

  func now() throws(Failure) -> LocalLockState {
    try Failure.atLock { () throws(LocalLockError) in try state() }
  }

  /// The step in which a code can be entered.
  func requireCode() throws(Failure) -> EnteringCode {
    switch try now() {
    case .locked(let step), .unlocked(let step, _): return step
    case .notSet: throw .lock(.notSet)
    case .exhausted: throw .lock(.exhausted)
    }
  }
}

extension Session {
  /// The same, for questions that are about no card.
  var atLock: Session {
    var session = self
    session.place = "cie-read"
    return session
  }
}

extension AwaitedCode {
  /// The local code that protects the session; asked for now if it is not here yet.
  mutating func localCode(
    of lock: EnteringCode, for flow: LocalCodeFlow, in session: Session
  ) throws(Failure) -> LocalCode {
    try CodeForm.localCode(
      resolve(in: session, triesLeft: lock.triesLeft(flow), digits: lock.length))
  }

  /// A new local code, which is kept. A person types it twice, the second time until it is the same or the lock has had
  /// enough.
  mutating func newLocalCode(
    _ choosing: ChoosingCode, digits: Int, in session: Session
  ) throws(Failure) -> LocalLockState {
    let isTyped = isToBeAsked
    let code = try CodeForm.localCode(resolve(in: session, digits: digits))
    guard code.length == digits else { throw .lock(.length(digits)) }
    var step: RepeatingCode
    do throws(LocalLockError) { step = try choosing.choose(code) } catch { throw .lock(error) }
    while true {
      let again =
        isTyped
        ? try Self.askAgain(.newLocalCode, in: session) : try resolve(in: session)
      let outcome: RepeatingCode.Outcome
      do throws(LocalLockError) { outcome = try step.repeat(again) } catch { throw .lock(error) }
      switch consume outcome {
      case .kept(let state): return state
      case .differs(let next):
        session.warn(Message("warning.entries-differ"))
        step = next
      }
    }
  }
}

extension CodeForm {
  /// The local code in what was entered.
  static func localCode(_ code: consuming Secret) throws(Failure) -> LocalCode {
    do throws(LocalCode.FormatError) { return try LocalCode(code) } catch {
      throw .code(.localCode(error))
    }
  }
}
