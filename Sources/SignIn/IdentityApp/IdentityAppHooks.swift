/// What an identity app is asked for, under names that say it; the kit calls them by other ones (Civic Connect for iOS,
/// `ScopeRequestType`).
public enum IdentityAppScope: String, Sendable, Hashable, CaseIterable {
  /// What a simple registration needs.
  case minimum
  /// Nothing but a number by which the same person is known again here, and nowhere else.
  case anonymous
  /// Name and document.
  case identity
  /// Where the person lives.
  case residence
  /// Whether the person is of age, and not when they were born.
  case age

  /// The kit's word.
  var verificationLevel: String {
    switch self {
    case .minimum: "civicBasic"
    case .anonymous: "Anonymous_Login"
    case .identity: "proofOfIdentity"
    case .residence: "proofOfResidence"
    case .age: "proofOfAge"
    }
  }

  /// What an OpenID provider is asked for.
  var openIDScopes: [String] {
    switch self {
    case .minimum, .age: ["openid", "profile"]
    case .anonymous: ["openid"]
    case .identity: ["openid", "identity"]
    case .residence: ["openid", "address"]
    }
  }
}

/// How far a sign-in by an identity app has come.
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

/// What a program hears of a sign-in by an identity app, and decides in it.
public struct IdentityAppHooks: Sendable {
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
