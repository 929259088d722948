import CIECard
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow
import SignIn

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
    return try mapError(try keeper().account()) { (error: SignInError) in Failure.above(error) }
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
      .init("claims", claims.all.map(\.name)),
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

/// The end of a sign-in at a service.
enum CompletedSignIn: Sendable {
  /// The page at this path sends the request of another program.
  case requestPage(String)
  /// The token alone.
  case token(String)
  case account(Kept)

  /// An account that is kept on this machine.
  struct Kept: Sendable {
    let account: Account
    let protection: Account.Protection
    /// True if its data went from the card to the service, and false if a provider sent them.
    let isFromCard: Bool
    /// True if the values of its claims are wanted, too.
    let showsValues: Bool
  }
}

extension CompletedSignIn: Presentable {
  func lines(_ language: Language) -> [String] {
    switch self {
    case .requestPage(let path): [Message("auth-page.written", ["path": path])(language)]
    case .token(let token): [token]
    case .account(let kept): kept.lines(language)
    }
  }

  func members(_ language: Language) -> [JSON.Member] {
    switch self {
    case .requestPage(let path): [.init("authPage", path)]
    case .token(let token): [.init("kind", "identity"), .init("token", token)]
    case .account(let kept):
      kept.account.members(kept.protection, showsClaims: kept.showsValues)
    }
  }
}

extension CompletedSignIn.Kept {
  fileprivate func lines(_ language: Language) -> [String] {
    let way = Message("method.\(account.method)")
    let head = Message("signed-in", ["service": account.service, "method": way])(language)
    guard !account.claims.all.isEmpty else { return [head] }
    guard !showsValues else { return [head] + account.claims.lines(language) }
    let names = account.claims.all.map(\.name).joined(separator: ", ")
    let told = Message(isFromCard ? "login.told" : "provider.told", ["names": names])
    return [head, told(language)]
  }
}
