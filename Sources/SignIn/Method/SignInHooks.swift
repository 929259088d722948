/// Callbacks and data of the program for a sign-in.
public struct SignInHooks: Sendable {
  /// Callbacks for a sign-in by an identity app.
  public var identityApp = IdentityApp()
  /// Identifies the person by the card for the government kit's server (its method `nfc`), and returns the server's
  /// number of the reading; without it the method is hidden. The server's interface leaves the upload of a reading to
  /// the program. It may block, because the step has a dedicated thread; nil cancels the sign-in.
  ///
  /// - Parameter processID: number of the verification.
  public var identify: (@Sendable (_ processID: String) -> String?)?
  /// Version of the program, which the government kit's server may ask for.
  public var version = "1.0.0"
  /// Shows a result as text, in the words of the government kit's server.
  public var show: @Sendable (ResultTemplate) -> Void = { _ in }

  /// Creates the defaults.
  public init() {}
}

extension SignInHooks {
  /// Step of a sign-in by an identity app.
  public enum IdentityAppStatus: String, Sendable, Hashable, CaseIterable {
    /// Requests the start at the service.
    case fetchingScopeRequest
    /// The link to the app has arrived.
    case launching
    /// Polls the server for the person's answer.
    case pollingForUserData
    /// Checks the person's answer.
    case authorizing
    /// Fetches the person's data.
    case fetchingUserData
  }

  /// Callbacks of the program for a sign-in by an identity app.
  public struct IdentityApp: Sendable {
    /// Called at each step.
    public var statusChanged: @Sendable (IdentityAppStatus) -> Void
    /// Returns true to fetch the person's data with this token here. With `false` the sign-in ends with the unverified
    /// token alone, for the program's own server.
    public var shouldFetch: @Sendable (_ token: String) -> Bool

    /// Fetches data by default.
    public init(
      statusChanged: @escaping @Sendable (IdentityAppStatus) -> Void = { _ in },
      shouldFetch: @escaping @Sendable (_ token: String) -> Bool = { _ in true }
    ) {
      self.statusChanged = statusChanged
      self.shouldFetch = shouldFetch
    }
  }
}
