internal import CIECard
internal import Synchronization

extension LoginError {
  /// Whether the card has said it.
  fileprivate var isAnswerOfTheCard: Bool {
    guard case .card(let error) = self else { return false }
    if case .channel = error.reason { return false }
    return true
  }
}

/// One login, from its link or its page to its end: the door for app authors.
///
/// It is used once. Cards and servers are waited for on the card actor's thread, never on the shared pool.
public final class LoginSession: Sendable {
  /// What happens, as it happens; it ends with the login. For one reader.
  public let events: AsyncStream<LoginEvent>

  private let steps: LoginSteps
  private let actor: CardActor
  private let delegate: (any LoginDelegate)?
  private let continuation: AsyncStream<LoginEvent>.Continuation
  private let isUsed = Mutex(false)

  /// A login that has not begun.
  ///
  /// - Parameters:
  ///   - configuration: the environment and the limits.
  ///   - card: opens the card.
  ///   - app: reaches the identity provider's app, for levels 1 and 2; without it those logins fail.
  ///   - person: who decides.
  ///   - actor: whose thread waits; one for all logins of a program is enough.
  ///   - delegate: told of the end, once.
  public convenience init(
    _ configuration: LoginConfiguration, card: any CardAccess, app: (any AppAccess)? = nil,
    person: any LoginParticipant, on actor: CardActor = CardActor(),
    delegate: (any LoginDelegate)? = nil
  ) {
    let cancellation = LoginCancellation()
    let settings = configuration.httpSettings(cancellation)
    self.init(on: actor, delegate) { report in
      LoginSteps(
        configuration: configuration, card: card, app: app, person: person,
        cancellation: cancellation,
        report: {
          report($0)
          person.follow($0)
        }, cardExchange: CardClient(settings),
        makeBrowser: { () throws(HTTPError) in try HTTPClient(settings) })
    }
  }

  init(
    on actor: CardActor, _ delegate: (any LoginDelegate)?,
    steps: (@escaping @Sendable (LoginEvent) -> Void) -> LoginSteps
  ) {
    let (events, continuation) = AsyncStream.makeStream(of: LoginEvent.self)
    self.events = events
    self.continuation = continuation
    self.actor = actor
    self.delegate = delegate
    self.steps = steps { continuation.yield($0) }
  }

  /// Assisted mode: turns a link that a browser was given into the URL with which that browser goes on.
  ///
  /// - Parameter link: in any of its forms. It comes from outside, so the person must be shown whom the certificate
  ///   goes to (`LoginParticipant.allows`).
  /// - Returns: the completed URL, good once.
  public func complete(_ link: String) async throws(LoginError) -> RedirectURL {
    let outcome = try await run { (steps, actor) throws(LoginError) in
      LoginOutcome.completed(try await steps.complete(link, on: actor))
    }
    guard case .completed(let url) = outcome else { throw .used }
    return url
  }

  /// Headless mode: is itself the user agent, from the service provider's page to its session.
  ///
  /// - Parameter page: a page with a button for the login, or whose address begins it.
  public func logIn(at page: RedirectURL) async throws(LoginError) -> LoggedIn {
    let outcome = try await run { (steps, actor) throws(LoginError) in
      LoginOutcome.loggedIn(try await steps.logIn(at: page, on: actor))
    }
    guard case .loggedIn(let session) = outcome else { throw .used }
    return session
  }

  /// Ends the login, from any thread: at the latest a second later, or when the card has answered its command.
  public func cancel() { steps.cancellation.cancel() }

  private func run(
    _ body: @Sendable (LoginSteps, isolated CardActor) async throws(LoginError) -> LoginOutcome
  ) async throws(LoginError) -> LoginOutcome {
    let wasUsed = isUsed.withLock { used in
      defer { used = true }
      return used
    }
    guard !wasUsed else { throw .used }
    let result = await withTaskCancellationHandler {
      await conclude(on: actor, body)
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  private func conclude(
    on actor: isolated CardActor,
    _ body: @Sendable (LoginSteps, isolated CardActor) async throws(LoginError) -> LoginOutcome
  ) async -> Result<LoginOutcome, LoginError> {
    defer { continuation.finish() }
    do throws(LoginError) {
      let outcome = try await body(steps, actor)
      delegate?.authenticationDidSucceed(outcome)
      return .success(outcome)
    } catch {
      // However it was noticed, a cancelled login was cancelled. But what the card has answered is so: a try may be gone.
      let isCancelled = steps.cancellation.token.isCancelled && !error.isAnswerOfTheCard
      let error = isCancelled ? .cancelled : error
      if case .cancelled = error {
        delegate?.authenticationWasCancelled()
      } else {
        delegate?.authenticationDidFail(error: error)
      }
      return .failure(error)
    }
  }
}

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
