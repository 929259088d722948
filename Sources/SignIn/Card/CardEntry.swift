package import RedirectFlow

/// "Entra con CIE": with the card in a reader (level 3), or handed to the identity provider's app as a link or a QR code.
///
/// Its entry: `start`, the service's page; `environment`, a built-in one's name or a file, the production one when it is
/// absent. RedirectFlow runs the login.
package struct CardEntry: Sendable {
  /// The page at which the login begins.
  package let start: RedirectURL
  /// The identity provider.
  package let environment: LoginEnvironment

  init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    start = try entry.url("start")
    environment = try entry.environment()
  }
}
