internal import CIECard
package import RedirectFlow
internal import Synchronization
internal import System

/// A login with the card or the app as states: the login asks, a state goes out, its step brings the answer in, and the
/// next state is whatever the login asks or ends with then.
package final class LoginStates: Sendable {
  private let context: SignInContext
  private let method: SignInMethod
  private let outbox = Mailbox<Result<SignInState, SignInError>>()
  private let session = Mutex<LoginSession?>(nil)
  private let presentation = Mutex<LoginCard.CertificatePresentation?>(nil)
  private let pin = Slot<PIN>()
  private let consent = Mailbox<Bool>()

  /// A login that has not begun.
  package init(_ method: SignInMethod, _ context: SignInContext) {
    self.method = method
    self.context = context
  }

  /// Begins the login at a service's page.
  package func begin(
    at page: RedirectURL, in environment: LoginEnvironment
  ) async throws(SignInError) -> SignInState {
    var configuration = LoginConfiguration(environment)
    configuration.timeout = context.timeout
    configuration.appTimeout = context.patience
    configuration.returnWords = context.returnWords
    let card = context.card { [weak self] tries in
      guard let self else { throw LoginError.cancelled }
      return try enteredPIN(tries)
    }
    let login = LoginSession(
      configuration, card: card, app: Door(states: self), person: Door(states: self))
    session.withLock { $0 = login }
    context.onCancel { [weak self] in self?.giveUp() }
    Task {
      do throws(LoginFailure) {
        outbox.put(.success(.completed(account(try await login.logIn(at: page)))))
      } catch {
        outbox.put(
          .failure(SignInError(error.error == .cancelled ? .cancelled : .login(error.error))))
      }
      // Whoever takes another step of a login that has ended is told so, and does not wait for ever.
      outbox.close()
    }
    return try await next()
  }

  /// Ends the login and everybody who waits for an answer.
  private func giveUp() {
    session.withLock { $0 }?.cancel()
    pin.close()
    consent.close()
  }

  private func next() async throws(SignInError) -> SignInState {
    guard let state = await outbox.take() else { throw SignInError(.cancelled) }
    return try state.get()
  }

  private func account(_ login: LoggedIn) -> Account {
    Account(
      service: context.service, method: method.rawValue, claims: AccountClaims(login.attributes),
      begun: context.now())
  }

  /// Blocks the card's thread until the person has given the PIN.
  private func enteredPIN(_ tries: Int?) throws -> PIN {
    outbox.put(
      .success(
        .pinRequired(
          PINRequired(triesLeft: tries, presentation: presentation.withLock { $0 }) {
            [self] pin async throws(SignInError) in
            self.pin.put(pin)
            return try await next()
          })))
    guard let pin = pin.take() else { throw LoginError.cancelled }
    return pin
  }

  /// What the login asks of a person and of an app.
  private struct Door: LoginParticipant, AppAccess {
    let states: LoginStates

    func allows(_ presentation: LoginCard.CertificatePresentation) async throws -> Bool {
      states.presentation.withLock { $0 = presentation }
      return true
    }

    func consents(to request: ConsentRequest) async throws -> Bool {
      let states = states
      states.outbox.put(
        .success(
          .consentRequired(
            ConsentRequired(request) { isAgreed async throws(SignInError) in
              states.consent.put(isAgreed)
              return try await states.next()
            })))
      return await states.consent.take() ?? false
    }

    func handOver(_ invitation: AppInvitation) throws -> String? {
      let states = states
      states.outbox.put(
        .success(
          .browserRequired(
            BrowserRequired(invitation.link, until: nil, invitation: invitation) {
              () async throws(SignInError) in try await states.next()
            })))
      return nil
    }
  }
}

/// Values on their way from one task to another, each taken once.
private final class Mailbox<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation
  private let isAwaited = Mutex(false)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func put(_ value: Value) { continuation.yield(value) }

  /// Lets go of whoever waits, with nothing.
  func close() { continuation.finish() }

  /// The next value; `nil` when there will be none, and for a second one who waits: a stream has one reader.
  func take() async -> Value? {
    let isFirst = isAwaited.withLock { isAwaited in
      defer { isAwaited = true }
      return !isAwaited
    }
    guard isFirst else { return nil }
    defer { isAwaited.withLock { $0 = false } }
    for await value in stream { return value }
    return nil
  }
}

/// A value on its way to a thread that blocks until it is there.
private final class Slot<Value: ~Copyable & Sendable>: Sendable {
  private let contents = Mutex<Value?>(nil)
  private let isClosed = Mutex(false)
  private let arrival = Semaphore()

  func put(_ value: consuming sending Value) {
    var value: Value? = consume value
    contents.withLock { $0 = value.take() }
    arrival.signal()
  }

  /// Lets go of whoever waits, with nothing, whatever comes afterwards.
  func close() {
    isClosed.withLock { $0 = true }
    arrival.signal()
  }

  func take() -> Value? {
    arrival.wait()
    let value = contents.withLock { $0.take() }
    return isClosed.withLock { $0 } ? nil : value
  }
}
