/// Opens the card for one login: what an app brings, because only it knows readers and how to ask for a PIN.
public protocol CardAccess: Sendable {
  /// Opens the card, has its holder show the PIN, lends the key, and lets go of the card, whatever happens.
  ///
  /// It is called once a login, on the card actor's thread, after the person was shown who gets the certificate.
  ///
  /// - Parameter body: what is done with the key; it must not keep it.
  /// - Throws: `LoginError`; `.card`, `.channel`, or `.app` for what only the app knows of.
  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result
}
