internal import CIECard
internal import RedirectFlow
internal import System

/// A bank that knows the person, or another way of the government kit: a list of methods, the choice, the bank's own
/// pages in a browser, and back with a code (DiiaAuthorization for iOS).
///
/// Its entry: `base`, below which the paths of the interface lie; `hosts`, at which banks show their pages; if wanted,
/// `returnHosts`, the servers to which banks send the person back (the kit's hosts of redirection; that of `base`, where
/// none are named) or `returnUrl`, an address of this machine for services that know our addition, `flow` (`login` when absent), and `issuer` and `audience` of the service's tokens, whose keys are in
/// the file `keys` or found below `base`. Without these a token is a word that says nothing here.
package struct BankSignIn: Sendable {
  let base: RedirectURL
  /// What a person is verified for.
  package var flow: VerificationFlow
  /// Whose verification it is; in all flows but `login` somebody is signed in.
  package var account: Account?
  let bankOrigins: Set<RedirectURL.Origin>
  /// Where banks send the person back to.
  let place: ReturnPlace
  let tokens: TokenCheck?
  /// What reads the card for the method `nfc`; without it that method is hidden.
  package var card: CardStep?
  /// Where the results of the way are shown as text, those that go on as well.
  package var show: @Sendable (ResultTemplate) -> Void = { _ in }

  /// A step with the card in the middle of a verification; it ends with `BankVerification.verify`.
  package typealias CardStep =
    @Sendable (BankVerification) throws(SignInError) -> SignInState

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    base = try entry.base("base")
    bankOrigins = try entry.origins("hosts")
    guard !bankOrigins.isEmpty else { throw .missingMember("hosts") }
    place = try entry.returnPlace(of: base)
    let flow = try entry.optionalText("flow").map(VerificationFlow.init) ?? .login
    guard let flow else { throw .wrongMember("flow") }
    self.flow = flow
    tokens = try TokenCheck(&entry)
  }

  package func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    try begin(flow, of: account, context)
  }

  /// Begins a verification.
  ///
  /// - Parameter account: whose verification it is; in all flows but `login` somebody is signed in.
  /// - Throws: `.notSignedIn`.
  package func begin(
    _ flow: VerificationFlow, of account: Account?, _ context: SignInContext
  ) throws(SignInError) -> SignInState {
    let line = BankLine(self, context, installation: account?.installation)
    if flow != .login, account?.tokens == nil { throw SignInError(.notSignedIn) }
    return try BankVerification.begin(flow, of: account, self, line)
  }

  package func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    let line = BankLine(self, context, installation: account.installation)
    guard let token = account.tokens?.access else { throw SignInError(.notSignedIn) }
    let path =
      account.isOfService
      ? BankLine.offer + ["token", "refresh"] : ["v2", "auth", "token", "refresh"]
    do throws(SignInError) {
      let answer = try line.post(path, bearer: token)
      return account.refreshed(try line.renewed(answer, token: token))
    } catch {
      guard error.cause == .notSignedIn else { throw error }
      throw SignInError(
        .refreshTokenExpired, number: error.number, correlationID: error.correlationID)
    }
  }

  /// Ends the token at the server. Where the network fails the caller keeps the account and calls again; a token that
  /// the server does not know any more has ended.
  package func signOut(_ account: Account, _ context: SignInContext) throws(SignInError) {
    let line = BankLine(self, context, installation: account.installation)
    guard let token = account.tokens?.access else { throw SignInError(.notSignedIn) }
    let path =
      account.isOfService
      ? BankLine.offer + ["token", "logout"] : ["v2", "auth", "token", "logout"]
    do throws(SignInError) {
      _ = try line.post(path, bearer: token)
    } catch {
      guard error.cause == .notSignedIn else { throw error }
    }
  }

  /// A token with which somebody who is not signed in may look around.
  package func temporaryToken(_ context: SignInContext) throws(SignInError) -> String {
    let line = BankLine(self, context)
    let answer = try line.get(["v1", "auth", "temporary", "token"])
    return try line.token(of: answer)
  }

  /// The methods by which somebody who is signed in may be verified; unknown ones are left out.
  package func methods(
    of account: Account, _ context: SignInContext
  ) throws(SignInError) -> [VerificationMethod] {
    let line = BankLine(self, context, installation: account.installation)
    guard let token = account.tokens?.access else { throw SignInError(.notSignedIn) }
    let answer = try line.get(["v1", "auth", "methods"], bearer: token)
    return VerificationMethod.list(answer.json?["authMethods"])
  }

  /// Signs a service in, not a person: by the number of its offer.
  package func signIn(
    offer: String, _ context: SignInContext
  ) throws(SignInError) -> Account {
    let line = BankLine(self, context)
    let answer = try line.get(BankLine.offer + [offer, "token"])
    return try line.account(of: answer, claims: [.init(Account.offerClaim, [offer])])
  }
}
