/// Told once how a login ended, for apps that are built around callbacks rather than `async`.
///
/// The names are those that users of the CieID iOS SDK know. Called on the card actor's thread.
public protocol LoginDelegate: AnyObject, Sendable {
  /// The person is in; or, in assisted mode, the completed URL exists.
  func authenticationDidSucceed(_ outcome: LoginOutcome)
  /// It failed.
  func authenticationDidFail(error: LoginError)
  /// The person gave up, or the login was cancelled.
  func authenticationWasCancelled()
}
