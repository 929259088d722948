/// Sign-in by a bank that knows the person, or by another method of the government kit: a list of methods, the choice,
/// the bank's own pages in a browser, and a redirect with a code (DiiaAuthorization for iOS).
struct BankSignIn: Sendable {
  let base: RedirectURL
  var flow: VerificationFlow
  /// Account to be verified; all flows but `login` require one.
  var account: Account?
  let bankOrigins: Set<RedirectURL.Origin>
  let place: ReturnPlace
  /// `nil` if a token is an opaque string.
  let tokens: TokenCheck?
  /// Step that reads the card for the method `nfc`; without it that method is hidden.
  var card: CardStep?
  /// Shows every result template as text, including those that continue.
  var show: @Sendable (ResultTemplate) -> Void = { _ in }

  /// Step with the card during a verification; it ends with `BankVerification.verify`.
  typealias CardStep =
    @Sendable (BankVerification) throws(SignInError) -> SignInState

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    base = try entry.base("base")
    bankOrigins = try entry.origins("hosts")
    guard !bankOrigins.isEmpty else { throw .of(.missingMember("hosts")) }
    place = try entry.returnPlace(of: base)
    let flow = try entry.optionalText("flow").map(VerificationFlow.init) ?? .login
    guard let flow else { throw .of(.wrongMember("flow")) }
    self.flow = flow
    tokens = try TokenCheck(&entry)
  }

  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    try begin(flow, of: account, context)
  }

  /// - Throws: `.notSignedIn`.
  func begin(
    _ flow: VerificationFlow, of account: Account?, _ context: SignInContext
  ) throws(SignInError) -> SignInState {
    let line = BankLine(self, context, installation: account?.installation)
    if flow != .login, account?.tokens == nil { throw SignInError(.notSignedIn) }
    return try BankVerification.begin(flow, of: account, self, line)
  }

  func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    let (line, token) = try signedIn(account, context)
    do throws(SignInError) {
      let answer = try line.post(Self.path(of: account, "refresh"), bearer: token)
      return account.refreshed(try line.renewed(answer, token: token))
    } catch {
      throw error.cause == .notSignedIn ? error.ofRefresh : error
    }
  }

  /// Revokes the token at the server. After a network failure the caller must call again; a token that the server no
  /// longer knows is revoked.
  func signOut(_ account: Account, _ context: SignInContext) throws(SignInError) {
    let (line, token) = try signedIn(account, context)
    do throws(SignInError) {
      _ = try line.post(Self.path(of: account, "logout"), bearer: token)
    } catch {
      guard error.cause == .notSignedIn else { throw error }
    }
  }

  private func signedIn(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> (BankLine, token: String) {
    guard let token = account.tokens?.access else { throw SignInError(.notSignedIn) }
    return (BankLine(self, context, installation: account.installation), token)
  }

  private static func path(of account: Account, _ step: String) -> [String] {
    (account.isOfService ? BankLine.offer : ["v2", "auth"]) + ["token", step]
  }

  /// Temporary token for a person who is not signed in.
  func temporaryToken(_ context: SignInContext) throws(SignInError) -> String {
    let line = BankLine(self, context)
    let answer = try line.get(["v1", "auth", "temporary", "token"])
    return try line.token(of: answer)
  }

  /// Verification methods for an account; unknown ones are ignored.
  func methods(
    of account: Account, _ context: SignInContext
  ) throws(SignInError) -> [VerificationMethod] {
    let (line, token) = try signedIn(account, context)
    let answer = try line.get(["v1", "auth", "methods"], bearer: token)
    return VerificationMethod.list(answer.json?["authMethods"])
  }

  /// Signs in a service, not a person, with the number of its offer.
  func signIn(
    offer: String, _ context: SignInContext
  ) throws(SignInError) -> Account {
    let line = BankLine(self, context)
    let answer = try line.get(BankLine.offer + [offer, "token"])
    return try line.account(of: answer, claims: [.init(Account.offerClaim, [offer])])
  }
}
