/// Entry of "Entra con CIE": with the card in a reader (level 3), or handed to the identity provider's app as a link or
/// a QR code. RedirectFlow runs the login.
struct CardEntry: Sendable {
  let start: RedirectURL
  let environment: LoginEnvironment

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    start = try entry.url("start")
    environment = try entry.environment()
  }
}
