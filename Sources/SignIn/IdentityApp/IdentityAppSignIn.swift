internal import RedirectFlow
internal import System

/// An identity app on a phone: a link or its QR code, the person's answer there, and polling here.
///
/// Its entry for our own protocol, the device authorization grant: the members of `OpenIDClient` and, if wanted, `scope`.
/// Its entry for the original one, which is insecure: `protocol` (`scope-request`), `insecure` (`true`), `base`
/// on this machine, `appId`, `mobileId`, `secretFile` and, if wanted, `scope`, and `returnScheme` with `schemeHandler`.
package struct IdentityAppSignIn: LoginMethod {
  package static let name = SignInMethod.identityApp

  /// What the app is asked for.
  package var scope: IdentityAppScope
  /// What the program hears and decides.
  package var hooks = IdentityAppHooks()
  private let way: Way

  private enum Way: Sendable {
    case deviceGrant(OpenIDClient)
    case insecureScopeRequest(InsecureScopeRequestEntry)
  }

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    let scope = try entry.optionalText("scope").map(IdentityAppScope.init) ?? .identity
    guard let scope else { throw .wrongMember("scope") }
    self.scope = scope
    switch try entry.optionalText("protocol") {
    case nil: way = .deviceGrant(try OpenIDClient(&entry))
    case "scope-request": way = .insecureScopeRequest(try InsecureScopeRequestEntry(&entry))
    default: throw .wrongMember("protocol")
    }
  }

  package func begin(_ context: SignInContext) async throws(SignInError) -> SignInState {
    switch way {
    case .deviceGrant(let client): try await DeviceSignIn(self, client, context).begin()
    case .insecureScopeRequest(let entry):
      try await InsecureScopeRequest(self, entry, context).begin()
    }
  }

  package func refresh(
    _ account: Account, _ context: SignInContext
  ) async throws(SignInError) -> Account {
    guard case .deviceGrant(let client) = way else { throw SignInError(.notOffered) }
    guard account.tokens?.refresh != nil else { throw SignInError(.refreshTokenExpired) }
    return try await OpenIDSession.open(client, context).refreshed(account)
  }

  package func signOut(_ account: Account, _ context: SignInContext) async throws(SignInError) {
    guard case .deviceGrant(let client) = way else { return }
    try await OpenIDSession.open(client, context).revoke(account)
  }

  /// Whether an address with which this program was opened ends this sign-in's way through the app: the scheme and the
  /// keyword, exactly. It carries nothing; it only says that it is worth asking the server now.
  package func canHandle(_ address: String) -> Bool {
    switch way {
    // The phone is another machine.
    case .deviceGrant: false
    case .insecureScopeRequest(let entry):
      entry.returnAddress.map { address == $0 || address == $0 + "/" } ?? false
    }
  }
}
