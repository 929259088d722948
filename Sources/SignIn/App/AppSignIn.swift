package import RedirectFlow

/// "Entra con CIE" at levels 1 and 2, or at level 3 by phone: the login is handed to the identity provider's app, as a
/// link or a QR code, and goes on here when that has come back.
///
/// Its entry is that of the card's method.
package struct AppSignIn: LoginMethod {
  package static let name = SignInMethod.app

  /// Where the login begins.
  package let start: RedirectURL
  /// The identity provider.
  package let environment: LoginEnvironment

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    start = try entry.url("start")
    environment = try entry.environment()
  }

  package func begin(_ context: SignInContext) async throws(SignInError) -> SignInState {
    try await LoginStates(Self.name, context).begin(at: start, in: environment)
  }
}
