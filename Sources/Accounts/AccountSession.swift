package import CardWork
import Glibc
import Messages
import Primitives
package import SignIn

/// The account of this user, as it is kept on this machine.
package enum AccountSession {
  /// Keeper of this user's account.
  ///
  /// - Throws: `.store` if the environment has neither `XDG_STATE_HOME` nor `HOME`.
  package static func keeper(
    _ timeout: Duration = .seconds(30)
  ) throws(SignInError) -> AccountKeeper {
    guard let folder = AccountKeeper.usualFolder else {
      throw SignInError(.store(.folder(.system(SystemError(ENOENT)))))
    }
    return AccountKeeper(folder: folder, timeout: timeout, version: ProgramRelease.version)
  }

  /// Account for a command that shows personal data; a local code, if set, must have been entered.
  static func unlocked() throws(Failure) -> Account {
    let lock = try lock()
    try mapError(try lock.admit()) { Failure.lock($0) }
    return try current()
  }

  /// Account, without its lock.
  package static func current() throws(Failure) -> Account {
    return try mapError(try keeper().account()) { (error: SignInError) in Failure.above(error) }
  }

  static func lock() throws(Failure) -> LocalLock {
    guard let folder = AccountKeeper.usualFolder else { throw .usage("no-home") }
    return AccountKeeper(folder: folder).lock
  }

  package static func lockState() throws(Failure) -> LocalLock.State {
    let lock = try lock()
    return try mapError(try lock.state()) { Failure.lock($0) }
  }

  static func requireCode() throws(Failure) -> LocalLock.Entering {
    switch try lockState() {
    case .locked(let step), .unlocked(let step, _): return step
    case .notSet: throw .lock(.notSet)
    case .exhausted: throw .lock(.exhausted)
    }
  }
}

extension AwaitedWork {
  /// Runs work of a sign-in, which a signal gives up.
  package static func signingIn<Value: Sendable>(
    _ context: RunContext, cancel: () -> Void,
    _ body: @escaping @Sendable () async throws(SignInError) -> Value
  ) throws(Failure) -> Value {
    context.progress.show(Message("service.asked"))
    defer { context.progress.clear() }
    do throws(SignInError) {
      return try value(until: context.interruption, cancel: cancel, body)
    } catch {
      guard context.interruption.signal == nil else { throw .interrupted }
      throw .above(error)
    }
  }
}

extension Failure {
  static func lock(_ error: LocalLock.Failure) -> Failure { .found(Diagnosis(error)) }

  package var signIn: SignInError? {
    if case .above(let error as SignInError) = self { error } else { nil }
  }
}

extension SignInError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { cause == .cancelled }
}
