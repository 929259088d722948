/// Service at which people sign in, and the sign-in methods of its description.
///
/// ```swift
/// let service = try SignInService(file: "service.json")
/// let signIn = try service.signIn(by: service.methods[0])
/// var state = try await signIn.begin()
/// ```
public struct SignInService: Sendable {
  package let description: ServiceDescription

  /// Reads a description from a file; relative paths in it are resolved against its folder.
  ///
  /// - Throws: `.service` for a description that cannot be used.
  public init(file path: String) throws(SignInError) {
    self.init(try ServiceDescription(file: path))
  }

  /// Parses a description.
  ///
  /// - Parameters:
  ///   - json: its text.
  ///   - folder: base folder for relative paths, ending in `/`; without it the description must not name files.
  /// - Throws: `.service` for a description that cannot be used.
  public init(json: [UInt8], folder: String? = nil) throws(SignInError) {
    self.init(try ServiceDescription(json: json, folder: folder))
  }

  /// Fetches a description, which must not name files, from the service's own server.
  ///
  /// - Parameters:
  ///   - url: the description's address.
  ///   - timeout: maximum time for the response.
  /// - Throws: `.network`, `.status`; `.service` for a description that cannot be used.
  public init(at url: RedirectURL, timeout: Duration = .seconds(30)) async throws(SignInError) {
    let context = try SignInContext(service: "", trust: nil, timeout: timeout)
    self.init(
      try await context.run { () throws(SignInError) in try ServiceDescription(at: url, context) })
  }

  init(_ description: ServiceDescription) { self.description = description }

  /// Name for people. Untrusted text.
  public var name: UntrustedText { description.name }

  /// Sign-in methods, in the service's order, at least one; unknown ones are left out.
  public var methods: [SignInMethod] { description.ways.map(\.method) }

  /// Start page and environment of the login with the card or the app, which RedirectFlow's `LoginSession` runs.
  ///
  /// - Returns: `nil` for all other methods.
  public func cardLogin(
    by method: SignInMethod = .card
  ) -> (page: RedirectURL, environment: LoginEnvironment)? {
    switch description.way(method) {
    case .card(let entry), .app(let entry): (entry.start, entry.environment)
    case .spid, .email, .identityApp, .bank, .oidc, nil: nil
    }
  }

  /// Public keys of this client for the provider of a method: a JSON Web Key Set, which is registered there.
  ///
  /// - Parameter method: `oidc` or `identityApp`.
  /// - Returns: the text, JSON.
  /// - Throws: `.notOffered` for a method without such keys; `.service` for a file that cannot be used.
  public func clientKeys(of method: SignInMethod) throws(SignInError) -> String {
    let client: OpenIDClient
    switch description.way(method) {
    case .identityApp(let way): client = way.client
    case .oidc(let way): client = way.client
    case .card, .app, .spid, .email, .bank, nil: throw SignInError(.notOffered)
    }
    return try ClientKey(file: client.keyFile).publicKeys.text
  }

  /// Creates a sign-in, which has not begun.
  ///
  /// - Parameters:
  ///   - method: one of `methods`.
  ///   - hooks: callbacks and data of the program.
  /// - Throws: `.notOffered`, also for `card` and `app`, whose login is `cardLogin`.
  public func signIn(
    by method: SignInMethod, hooks: SignInHooks = SignInHooks()
  ) throws(SignInError) -> SignInSession {
    let context = try SignInContext(
      service: name.display, trust: description.trust, version: hooks.version)
    return try signIn(by: method, hooks: hooks, context)
  }

  /// Parses a response of the service's `auth-spid` that was received otherwise, such as from an older back end.
  ///
  /// - Throws: `.notOffered` without SPID; `.answerUnusable`.
  public func spidRequest(json bytes: [UInt8]) throws(SignInError) -> SPIDRequest {
    guard case .spid(let spid) = description.way(.spid) else {
      throw SignInError(.notOffered)
    }
    return try SPIDRequest(json: bytes, to: spid.destinations)
  }

  /// - Parameters:
  ///   - flow: purpose of a verification by the government kit; replaces that of the description.
  ///   - account: account to be verified.
  package func signIn(
    by name: SignInMethod, hooks: SignInHooks = SignInHooks(), flow: VerificationFlow? = nil,
    of account: Account? = nil, _ context: SignInContext
  ) throws(SignInError) -> SignInSession {
    guard let way = description.way(name) else { throw SignInError(.notOffered) }
    switch way {
    case .card, .app: throw SignInError(.notOffered)
    case .identityApp(var app):
      app.hooks = hooks.identityApp
      return SignInSession(way: .identityApp(app), context: context)
    case .bank(var bank):
      bank.show = hooks.show
      if let identify = hooks.identify {
        bank.card = { verification throws(SignInError) in
          guard let request = identify(verification.processID) else {
            throw SignInError(.cancelled)
          }
          return try verification.verify(.card, requestID: request)
        }
      }
      bank.flow = flow ?? bank.flow
      bank.account = account
      return SignInSession(way: .bank(bank), context: context)
    case .spid, .email, .oidc: return SignInSession(way: way, context: context)
    }
  }
}

/// Sign-in, from its first state to an account.
public struct SignInSession: Sendable {
  let way: ConfiguredMethod
  let context: SignInContext

  /// Begins the sign-in.
  ///
  /// - Returns: the first state, with the steps that are legal next.
  /// - Throws: `SignInError`; `.cancelled` if the task is cancelled.
  public func begin() async throws(SignInError) -> SignInState {
    try await context.run { () throws(SignInError) in try way.begin(context) }
  }

  /// Cancels the sign-in, from any thread: a waiting step throws `.cancelled`.
  public func cancel() { context.cancel() }
}
