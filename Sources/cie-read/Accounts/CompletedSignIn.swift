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

extension CompletedSignIn: FunctionResult {
  func lines(_ language: Language) -> [String] {
    switch self {
    case .requestPage(let path): [Message("auth-page.written", ["path": path])(language)]
    case .token(let token): [token]
    case .account(let kept): kept.lines(language)
    }
  }

  static let members: [Member<CompletedSignIn>] =
    ends + Member.all(of: \.facts) + [protection] + Member.all(of: \.claims)

  private static let ends: [Member<CompletedSignIn>] = [
    .whenPresent("authPage", \.path, note: "With --auth-json: the page that sends the request."),
    Member.whenPresent("kind") { $0.token == nil ? nil : "identity" }.of { .constant("identity") },
    .whenPresent("token", \.token, note: "With --token-only: a secret."),
    .whenPresent("state") { $0.kept == nil ? nil : SignInStanding.signedIn },
  ]

  private static let protection: Member<CompletedSignIn> = .whenPresent(
    "protection", { $0.kept?.protection },
    note:
      "What keeps the session from other eyes: a key in the kernel's keyring, or the mode of the file."
  )

  static let alternatives = [
    ["state", "service", "method", "since", "expires", "protection", "claims"],
    ["kind", "token"], ["authPage"],
  ]

  private var path: String? { if case .requestPage(let path) = self { path } else { nil } }
  private var token: String? { if case .token(let token) = self { token } else { nil } }
  private var kept: Kept? { if case .account(let kept) = self { kept } else { nil } }
  private var facts: AccountFacts? { kept.map { AccountFacts(account: $0.account) } }

  private var claims: ClaimFacts? {
    kept.flatMap { $0.showsValues ? ClaimFacts(claims: $0.account.claims) : nil }
  }
}

extension Account.Protection: DescribedWord {
  static let words = ["keyring", "file-mode"]
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
