internal import CIECard
public import RedirectFlow

/// A service at which people sign in, and the ways in that it offers: the door for app authors.
///
/// ```swift
/// let service = try SignInService(file: "service.json")
/// let signIn = try service.signIn(by: service.methods[0])
/// var state = try await signIn.begin()
/// ```
public struct SignInService: Sendable {
  package let description: ServiceDescription

  /// Reads the description of a service.
  ///
  /// - Throws: `SignInServiceError`, which says what is wrong with it.
  public init(file path: String) throws(SignInServiceError) {
    do throws(ServiceProblem) { self.init(try ServiceDescription(file: path)) } catch {
      throw SignInServiceError(problem: error)
    }
  }

  package init(_ description: ServiceDescription) { self.description = description }

  /// What people call it. Anybody can have written it.
  public var name: UntrustedText { description.name }

  /// The ways in that it offers, in its own order; those that are not known here are left out. There is at least one:
  /// where it is the only one, nobody needs to be asked.
  public var methods: [SignInMethod] { description.methods.map { type(of: $0).name } }

  /// A sign-in, which has not begun.
  ///
  /// - Parameters:
  ///   - method: one of `methods`.
  ///   - hooks: the program's part in it.
  /// - Throws: `.notOffered`.
  public func signIn(
    by method: SignInMethod, hooks: SignInHooks = SignInHooks()
  ) throws(SignInError) -> SignInSession {
    let context = try SignInContext(
      service: name.display, trust: description.trust, card: hooks.card)
    return try signIn(by: method, hooks: hooks, context)
  }

  /// The request in an answer of the service's `auth-spid` that came another way, such as from an older back end.
  ///
  /// - Throws: `.notOffered` where the service has no SPID; what is wrong with the answer.
  public func spidRequest(json bytes: [UInt8]) throws(SignInError) -> SPIDRequest {
    guard let spid = description.method(.spid) as? SPIDSignIn else {
      throw SignInError(.notOffered)
    }
    return try SPIDRequest(json: bytes, to: spid.destinations)
  }

  /// The same on a way to the servers that is there already.
  ///
  /// - Parameters:
  ///   - flow: what the government kit is asked for, in the place of what the description says.
  ///   - account: whose verification that is, where somebody is signed in.
  package func signIn(
    by name: SignInMethod, hooks: SignInHooks = SignInHooks(), flow: VerificationFlow? = nil,
    of account: Account? = nil, _ context: SignInContext
  ) throws(SignInError) -> SignInSession {
    guard let method = description.method(name) else { throw SignInError(.notOffered) }
    if var app = method as? IdentityAppSignIn {
      app.hooks = hooks.identityApp
      return SignInSession(app, context)
    }
    if var spid = method as? SPIDSignIn {
      spid.answer = hooks.answer
      return SignInSession(spid, context)
    }
    if var bank = method as? BankSignIn {
      bank.show = hooks.show
      bank.flow = flow ?? bank.flow
      bank.account = account
      return SignInSession(bank, context)
    }
    return SignInSession(method, context)
  }
}

/// A program's part in a sign-in.
public struct SignInHooks: Sendable {
  /// Makes the card for the ways in that need one, with what asks for its PIN; that in the reader unless said otherwise.
  public var card: @Sendable (@escaping LoginCard.PINEntry) -> LoginCard = { .reader(pin: $0) }
  /// What is heard of an identity app, and decided in its way.
  public var identityApp = IdentityAppHooks()
  /// What the service's `auth-spid` has answered, where somebody else has asked it.
  public var answer: [UInt8]?
  /// Shows a result as text, in the words of the government kit's server.
  public var show: @Sendable (ResultTemplate) -> Void = { _ in }

  /// The usual ones.
  public init() {}
}

/// One sign-in, from its first state to an account.
public struct SignInSession: Sendable {
  private let context: SignInContext
  private let method: any LoginMethod

  init(_ method: any LoginMethod, _ context: SignInContext) {
    self.context = context
    self.method = method
  }

  /// Begins it.
  ///
  /// - Returns: the first state, whose methods are the steps that are legal next.
  public func begin() async throws(SignInError) -> SignInState {
    let (context, method) = (context, method)
    let result: Result<SignInState, SignInError> = await withTaskCancellationHandler {
      do throws(SignInError) { return .success(try await method.begin(context)) } catch {
        return .failure(error)
      }
    } onCancel: {
      context.cancel()
    }
    return try result.get()
  }

  /// Ends it, from any thread: whoever waits gets `.cancelled`.
  public func cancel() { context.cancel() }

  /// Whether an address with which the program was opened ends this sign-in's way through an app. It carries nothing; it
  /// only says that it is worth asking the server now.
  public func canHandle(_ address: String) -> Bool {
    (method as? IdentityAppSignIn)?.canHandle(address) ?? false
  }
}

/// Why the description of a service cannot be used.
public struct SignInServiceError: Error, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  package let problem: ServiceProblem

  package init(problem: ServiceProblem) { self.problem = problem }

  /// What is wrong with it, for a log.
  public var description: String { "\(problem)" }
}
