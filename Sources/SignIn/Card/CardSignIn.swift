package import RedirectFlow

/// "Entra con CIE" at level 3, with the card in a reader: from the service's page to its session.
///
/// Its entry: `start`, the service's page; `environment`, a built-in one's name or a file, the production one when it is
/// absent.
package struct CardSignIn: LoginMethod {
  package static let name = SignInMethod.card

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
