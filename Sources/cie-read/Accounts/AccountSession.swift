import CIECard
import CardWork
import Glibc
import Messages
import RedirectFlow
import SignIn
import Primitives

/// Account that is stored on this machine.
enum AccountSession {
  /// Keeper of this user's account.
  ///
  /// - Throws: `.store` if the environment has neither `XDG_STATE_HOME` nor `HOME`.
  static func keeper(_ timeout: Duration = .seconds(30)) throws(SignInError) -> AccountKeeper {
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
  static func current() throws(Failure) -> Account {
    do throws(SignInError) { return try keeper().account() } catch { throw .above(error) }
  }

  static func lock() throws(Failure) -> LocalLock {
    guard let folder = AccountKeeper.usualFolder else { throw .usage("no-home") }
    return AccountKeeper(folder: folder).lock
  }

  static func lockState() throws(Failure) -> LocalLock.State {
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

extension Account {
  /// JSON members for scripts, without a token.
  func members(_ protection: Account.Protection?, showsClaims: Bool) -> [JSON.Member] {
    [
      .init("state", "signed-in"), .init("service", service), .init("method", method),
      .init("since", begun.description), .init("expires", expires?.description),
      .init("claims", .array(claims.all.map { .string($0.name) })),
    ] + (protection.map { [.init("protection", $0.rawValue)] } ?? [])
      + (showsClaims ? claims.members : [])
  }
}

extension AccountClaims {
  /// The 17 fields, and all claims under the provider's names, with values.
  var members: [JSON.Member] {
    [
      .init("fields", .object(AccountField.allCases.map { .init($0.rawValue, self[$0]) })),
      .init("claimValues", json),
    ]
  }

  /// Text for people, a line for each claim.
  func lines(_ language: Language) -> [String] {
    all.map {
      let value = $0.values.joined(separator: ", ")
      return "  " + Message("labelled", ["label": $0.name, "value": value])(language)
    }
  }
}
