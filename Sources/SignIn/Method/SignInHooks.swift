/// A program's part in a sign-in.
public struct SignInHooks: Sendable {
  /// The part in a sign-in by an identity app.
  public var identityApp = IdentityApp()
  /// Identifies the person by the card for the government kit's server (its method `nfc`), and returns the number under
  /// which that server knows the reading; without it the method is hidden. How a reading gets to the server its
  /// interface leaves to the program. It may block, because the step has a dedicated thread. An error cancels the sign-in.
  ///
  /// - Parameter processID: the number of the verification.
  public var identify: (@Sendable (_ processID: String) throws -> String)?
  /// The program's version, which the government kit's server may ask for.
  public var version = "1.0.0"
  /// Shows a result as text, in the words of the government kit's server.
  public var show: @Sendable (ResultTemplate) -> Void = { _ in }

  /// The usual ones.
  public init() {}
}

extension SignInHooks {
  /// A step of a sign-in by an identity app.
  public enum IdentityAppStatus: String, Sendable, Hashable, CaseIterable {
    /// The service is asked to begin.
    case fetchingScopeRequest
    /// The link to the app is there.
    case launching
    /// The server is asked whether the person has answered.
    case pollingForUserData
    /// The person's answer is looked at.
    case authorizing
    /// The person's data are fetched.
    case fetchingUserData
  }

  /// The program's part in a sign-in by an identity app.
  public struct IdentityApp: Sendable {
    /// Called for each step.
    public var statusChanged: @Sendable (IdentityAppStatus) -> Void
    /// Whether the person's data are fetched with this token here. With `false` the sign-in ends with the token alone,
    /// not looked at, for the program's own server.
    public var shouldFetch: @Sendable (_ token: String) -> Bool

    /// Data are fetched unless said otherwise.
    public init(
      statusChanged: @escaping @Sendable (IdentityAppStatus) -> Void = { _ in },
      shouldFetch: @escaping @Sendable (_ token: String) -> Bool = { _ in true }
    ) {
      self.statusChanged = statusChanged
      self.shouldFetch = shouldFetch
    }
  }
}
