package import RedirectFlow
internal import System

/// An identity app on a phone: a link or its QR code, the person's answer there, and polling here.
///
/// Its entry for our own protocol, the device authorization grant: `issuer`, `clientId`, `clientKey` and, if wanted,
/// `scope`. Its entry for the original one, which is insecure: `protocol` (`scope-request`), `insecure` (`true`), `base`
/// on this machine, `appId`, `mobileId`, `secretFile` and, if wanted, `scope`, and `returnScheme` with `schemeHandler`.
package struct IdentityAppSignIn: LoginMethod {
  package static let name = SignInMethod.identityApp

  /// What the app is asked for.
  package var scope: IdentityAppScope
  /// What the program hears and decides.
  package var hooks = IdentityAppHooks()
  private let way: Way

  private enum Way: Sendable {
    case insecureScopeRequest(InsecureScopeRequestEntry)
  }

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    let scope = try entry.optionalText("scope").map(IdentityAppScope.init) ?? .identity
    guard let scope else { throw .wrongMember("scope") }
    self.scope = scope
    switch try entry.optionalText("protocol") {
    case "scope-request": way = .insecureScopeRequest(try InsecureScopeRequestEntry(&entry))
    case _: throw .wrongMember("protocol")
    }
  }

  package func begin(_ context: SignInContext) async throws(SignInError) -> SignInState {
    switch way {
    case .insecureScopeRequest(let entry):
      try await InsecureScopeRequest(self, entry, context).begin()
    }
  }

  /// Whether an address with which this program was opened ends this sign-in's way through the app: the scheme and the
  /// keyword, exactly. It carries nothing; it only says that it is worth asking the server now.
  package func canHandle(_ address: String) -> Bool {
    switch way {
    case .insecureScopeRequest(let entry):
      entry.returnAddress.map { address == $0 || address == $0 + "/" } ?? false
    }
  }
}
