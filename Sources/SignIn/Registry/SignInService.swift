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
  ///   - card: the card for the ways in that need one; without it that in the reader.
  /// - Throws: `.notOffered`.
  public func signIn(
    by method: SignInMethod,
    card: @escaping @Sendable (@escaping LoginCard.PINEntry) -> LoginCard = { .reader(pin: $0) }
  ) throws(SignInError) -> SignInSession {
    let context = try SignInContext(
      service: name.display, trust: description.trust, card: card)
    return try signIn(by: method, context)
  }

  package func signIn(
    by method: SignInMethod, _ context: SignInContext
  ) throws(SignInError) -> SignInSession {
    guard let method = description.method(method) else { throw SignInError(.notOffered) }
    return SignInSession(method, context)
  }
}

/// One sign-in, from its first state to an account.
public struct SignInSession: Sendable {
  private let method: any LoginMethod
  private let context: SignInContext

  init(_ method: any LoginMethod, _ context: SignInContext) {
    self.method = method
    self.context = context
  }

  /// Begins it.
  ///
  /// - Returns: the first state, whose methods are the steps that are legal next.
  public func begin() async throws(SignInError) -> SignInState {
    let context = context
    return try await ending(context) { () async throws(SignInError) in
      try await method.begin(context)
    }
  }

  /// Ends it, from any thread: whoever waits gets `.cancelled`.
  public func cancel() { context.cancel() }

  private func ending<Value: Sendable>(
    _ context: SignInContext, _ body: () async throws(SignInError) -> Value
  ) async throws(SignInError) -> Value {
    let result: Result<Value, SignInError> = await withTaskCancellationHandler {
      do throws(SignInError) { return .success(try await body()) } catch { return .failure(error) }
    } onCancel: {
      context.cancel()
    }
    return try result.get()
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
