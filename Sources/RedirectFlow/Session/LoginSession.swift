internal import CIECard
internal import Synchronization

/// One login, from its link or its page to its end: the door for app authors.
///
/// It is used once. `events` has its steps, the value or the error at the end its result:
///
/// ```swift
/// let login = LoginSession(
///   LoginConfiguration(.production), card: .reader { _ in enterPIN() }, person: person)
/// Task { for await event in login.events { show(event) } }
/// let session = try await login.logIn(at: page)
/// ```
///
/// It waits for cards and servers on its own thread, never on the shared pool.
public final class LoginSession: Sendable {
  /// The steps of the login as they happen; the stream ends with the login. For one reader.
  public let events: AsyncStream<LoginEvent>

  private let steps: LoginSteps
  private let actor: BlockingActor
  private let delegate: (any LoginDelegate)?
  private let continuation: AsyncStream<LoginEvent>.Continuation
  private let isUsed = Mutex(false)

  /// A login that has not begun.
  ///
  /// - Parameters:
  ///   - configuration: the environment and the limits.
  ///   - card: the card, and the question for its PIN.
  ///   - app: reaches the identity provider's app, for levels 1 and 2; without it those logins fail.
  ///   - person: the person's decisions.
  ///   - delegate: called once, at the end.
  public convenience init(
    _ configuration: LoginConfiguration, card: LoginCard, app: (any AppAccess)? = nil,
    person: any LoginParticipant, delegate: (any LoginDelegate)? = nil
  ) {
    self.init(
      configuration, card: card, app: app, person: person, observer: nil, delegate: delegate)
  }

  /// A login with an observer, which gets each event before the login continues.
  package init(
    _ configuration: LoginConfiguration, card: LoginCard, app: (any AppAccess)? = nil,
    person: any LoginParticipant, observer: (any LoginObserver)?,
    delegate: (any LoginDelegate)? = nil
  ) {
    let (events, continuation) = AsyncStream.makeStream(of: LoginEvent.self)
    let cancellation = LoginCancellation()
    let settings = configuration.httpSettings(cancellation)
    self.events = events
    self.continuation = continuation
    self.delegate = delegate
    actor = BlockingActor()
    steps = LoginSteps(
      configuration: configuration, card: card.access(cancellation), app: app, person: person,
      observer: observer, cancellation: cancellation,
      report: {
        continuation.yield($0)
        observer?.follow($0)
      }, cardExchange: CardClient(settings),
      makeBrowser: { () throws(HTTPError) in try HTTPClient(settings) })
  }

  /// Assisted mode: turns a browser's link into the URL with which that browser continues.
  ///
  /// - Parameter link: in any of its forms. It comes from outside, so the person must see the receiver of the
  ///   certificate (`LoginParticipant.allows`).
  /// - Returns: the completed URL, good once.
  public func complete(_ link: String) async throws(LoginError) -> RedirectURL {
    try await run(LoginOutcome.completed) { (steps, actor) throws(LoginError) in
      try await steps.complete(link, on: actor)
    }
  }

  /// Headless mode: acts as the user agent, from the service provider's page to its session.
  ///
  /// - Parameter page: a page with a button for the login, or whose address begins it.
  public func logIn(at page: RedirectURL) async throws(LoginError) -> LoggedIn {
    try await run(LoginOutcome.loggedIn) { (steps, actor) throws(LoginError) in
      try await steps.logIn(at: page, on: actor)
    }
  }

  /// Browser mode: watches the person's own browser, which is the user agent, and loads the completed URL in it.
  ///
  /// - Returns: the page in the browser at the end, where the person continues.
  package func logIn(
    at page: RedirectURL, in browser: any RemoteBrowser
  ) async throws(LoginError) -> RedirectURL {
    try await run(LoginOutcome.completed) { (steps, actor) throws(LoginError) in
      try await steps.logIn(at: page, in: browser, on: actor)
    }
  }

  /// Ends the login, from any thread: at the latest a second later, or when the card has answered its command.
  public func cancel() { steps.cancellation.cancel() }

  private typealias Steps<Value> =
    @Sendable (LoginSteps, isolated BlockingActor) async throws(LoginError) -> Value

  private func run<Value: Sendable>(
    _ outcome: @Sendable (Value) -> LoginOutcome, _ body: Steps<Value>
  ) async throws(LoginError) -> Value {
    let wasUsed = isUsed.withLock { used in
      defer { used = true }
      return used
    }
    guard !wasUsed else { throw LoginError(.used) }
    let result = await withTaskCancellationHandler {
      await conclude(on: actor, outcome, body)
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  private func conclude<Value: Sendable>(
    on actor: isolated BlockingActor, _ outcome: @Sendable (Value) -> LoginOutcome,
    _ body: Steps<Value>
  ) async -> Result<Value, LoginError> {
    defer { continuation.finish() }
    do throws(LoginError) {
      let value = try await body(steps, actor)
      delegate?.hear(.success(outcome(value)))
      return .success(value)
    } catch {
      // A cancelled login reports the cancellation, whatever error came of it. But the card's answer takes precedence,
      // because a try may be gone.
      let isCancelled = steps.cancellation.token.isCancelled && !error.isAnswerOfTheCard
      let failure = isCancelled ? steps.cancellation.reason : error
      delegate?.hear(.failure(failure))
      return .failure(failure)
    }
  }
}

/// A delegate, called once at the end of a login, for apps that are built around callbacks rather than `async`.
///
/// The names are those of the CieID iOS SDK. Called on the login's own thread.
public protocol LoginDelegate: AnyObject, Sendable {
  /// The person is in; or, in assisted mode, the completed URL exists.
  func authenticationDidSucceed(_ outcome: LoginOutcome)
  func authenticationDidFail(error: LoginError)
  /// The person gave up, or the login was cancelled.
  func authenticationWasCancelled()
}

extension LoginDelegate {
  fileprivate func hear(_ result: Result<LoginOutcome, LoginError>) {
    switch result {
    case .success(let outcome): authenticationDidSucceed(outcome)
    case .failure(let failure):
      guard case .cancelled = failure.reason else { return authenticationDidFail(error: failure) }
      authenticationWasCancelled()
    }
  }
}
