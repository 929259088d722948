/// Sign-in method with its entry of a description, whose members the README of this module has.
indirect enum ConfiguredMethod: Sendable {
  case card(CardEntry)
  case app(CardEntry)
  case spid(SPIDSignIn)
  case email(EmailSignIn)
  case identityApp(IdentityAppSignIn)
  case bank(BankSignIn)
  case oidc(OIDCSignIn)

  /// - Throws: `ServiceProblem` for a member that is missing, wrong or unknown.
  init(_ method: SignInMethod, _ entry: inout ServiceEntry) throws(SignInError) {
    self =
      switch method {
      case .card: .card(try CardEntry(&entry))
      case .app: .app(try CardEntry(&entry))
      case .spid: .spid(try SPIDSignIn(&entry))
      case .email: .email(try EmailSignIn(&entry))
      case .identityApp: .identityApp(try IdentityAppSignIn(&entry))
      case .bank: .bank(try BankSignIn(&entry))
      case .oidc: .oidc(try OIDCSignIn(&entry))
      }
    try entry.finish()
  }

  var method: SignInMethod {
    switch self {
    case .card: .card
    case .app: .app
    case .spid: .spid
    case .email: .email
    case .identityApp: .identityApp
    case .bank: .bank
    case .oidc: .oidc
    }
  }

  /// - Throws: `.notOffered` for card and app, whose login RedirectFlow runs.
  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    switch self {
    case .card, .app: throw SignInError(.notOffered)
    case .spid(let way): try way.begin(context)
    case .email(let way): try way.begin(context)
    case .identityApp(let way): try way.begin(context)
    case .bank(let way): try way.begin(context)
    case .oidc(let way): try way.begin(context)
    }
  }

  /// - Throws: `.refreshTokenExpired`; `.notOffered` if the method has no tokens.
  func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    switch self {
    case .card, .app, .spid: throw SignInError(.notOffered)
    case .email(let way): try way.refresh(account, context)
    case .identityApp(let way): try way.client.refresh(account, context)
    case .bank(let way): try way.refresh(account, context)
    case .oidc(let way): try way.client.refresh(account, context)
    }
  }

  /// Notifies the provider of a sign-out, if the method requires it.
  func signOut(_ account: Account, _ context: SignInContext) throws(SignInError) {
    switch self {
    case .card, .app, .spid, .email: break
    case .identityApp(let way): try way.client.signOut(account, context)
    case .bank(let way): try way.signOut(account, context)
    case .oidc(let way): try way.client.signOut(account, context)
    }
  }
}
