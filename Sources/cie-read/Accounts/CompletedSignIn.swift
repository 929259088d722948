import Accounts
import CardWork
import Messages
import Primitives
import SignIn

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
      [.init("state", "signed-in")] + AccountFacts(account: kept.account).members(language)
        + [.init("protection", kept.protection.rawValue)]
        + (kept.showsValues ? ClaimFacts(claims: kept.account.claims).members(language) : [])
    }
  }
}

extension CompletedSignIn.Kept {
  fileprivate func lines(_ language: Language) -> [String] {
    let way = Message("method.\(account.method)")
    let head = Message("signed-in", ["service": account.service, "method": way])(language)
    guard !account.claims.all.isEmpty else { return [head] }
    guard !showsValues else { return [head] + ClaimFacts(claims: account.claims).lines(language) }
    let names = account.claims.all.map(\.name).joined(separator: ", ")
    let told = Message(isFromCard ? "login.told" : "provider.told", ["names": names])
    return [head, told(language)]
  }
}
