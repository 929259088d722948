import CIECard
import CardWork
import Messages
import RedirectFlow
import Synchronization

/// The end of a login with the card or the app.
enum CompletedLogin: Sendable {
  /// The address with which the browser continues that began the login.
  case address(CompletedAddress)
  /// The completed address was loaded in a browser, by its path, where the person continues at this page.
  case left(in: String, at: RedirectURL)
  /// The program itself is logged in.
  case loggedIn(OwnLogin)
  case refused(SAMLStatus)

  struct OwnLogin: Sendable {
    let session: LoggedIn
    /// The file to which the cookies were written, if any.
    var cookies: String?
    /// True if the values of the attributes are wanted, too.
    var showsValues = false
    /// True if it is also kept as the account on this machine.
    var isKept = false
  }
}

/// `login`: logs in with the card or the app, while this thread listens for signals.
struct LoginJob: CardJob {
  let settings: LoginSettings
  let pin: HeldCode
  let access: HolderAccess
  var answers = LoginAnswers()
  /// The browser that is watched; `nil` for the login without one.
  var browser: InstalledBrowser?

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CompletedLogin {
    switch settings.start {
    case .link(let link):
      let url = try wait(card, context) { (login) async throws(LoginFailure) in
        try await login.complete(link)
      }
      return .address(CompletedAddress(url: url))
    case .page(let page):
      if let browser {
        // Made last, because it is on the screen at once.
        let window = try browser.open(in: context)
        defer { window.end() }
        let reached = try wait(card, context) { (login) async throws(LoginFailure) in
          try await login.logIn(at: page, in: window)
        }
        window.leave()
        return .left(in: browser.path, at: reached)
      }
      do throws(Failure) {
        let loggedIn = try wait(card, context) { (login) async throws(LoginFailure) in
          try await login.logIn(at: page)
        }
        return .loggedIn(CompletedLogin.OwnLogin(session: loggedIn))
      } catch {
        guard case .refusedByIdentityProvider(let status) = error.login else { throw error }
        return .refused(status)
      }
    }
  }

  private func wait<Value: Sendable>(
    _ card: Conversation, _ context: RunContext,
    for body: @escaping @Sendable (LoginSession) async throws(LoginFailure) -> Value
  ) throws(Failure) -> Value {
    let obstacle = LoginObstacle()
    let person = TerminalPrompts(answers: answers, context: context, obstacle: obstacle)
    let holder = HolderCard(
      card: card, pin: pin, access: access, context: context, obstacle: obstacle)
    let login = LoginSession(
      settings.configuration, card: LoginCard(holder), app: person, person: person,
      observer: person)
    func giveUp() {
      obstacle.giveUp()
      login.cancel()
    }
    defer { context.progress.clear() }
    do throws(LoginFailure) {
      return try AwaitedWork.value(until: context.interruption, cancel: giveUp) {
        () async throws(LoginFailure) in try await body(login)
      }
    } catch {
      guard context.interruption.signal == nil else { throw .interrupted }
      throw obstacle.failure ?? Failure(error.error)
    }
  }
}

/// The card of this program, for one login: unlike the library's card it may be a recording, keeps a diary, starts over
/// after a lost transmission, and asks for the PIN at the place that the command line names.
private struct HolderCard: CardAccess {
  let card: Conversation
  let pin: HeldCode
  let access: HolderAccess
  let context: RunContext
  let obstacle: LoginObstacle

  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    try obstacle.catching { () throws(Failure) in
      var pin = try pin.code()
      return try card.perform(in: context) { (card, random, context) throws(Failure) in
        let verified = try card.verified(with: &pin, access, random: &random, in: context)
        let key: CardLoginKey<SessionChannel>
        do throws(CardError) { key = try CardLoginKey(verified) } catch { throw .card(error) }
        context.progress.show(Message("login.proving-at-server"))
        let reported = ReportedKey(key: key, obstacle: obstacle)
        do throws(LoginError) { return try body(reported) } catch { throw .login(error) }
      }
    }
  }

  func giveUp() {
    obstacle.giveUp()
    context.interruption.giveUp()
  }
}

/// A key whose card's errors reach the program as those of any command do, because the login's own only wrap them.
private struct ReportedKey: LoginKey {
  let key: any LoginKey
  let obstacle: LoginObstacle

  var certificate: Certificate { key.certificate }

  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    do { return try key.sign(digest) } catch {
      obstacle.note(.card(error))
      throw error
    }
  }
}

/// The failure of this program's part in a login: of the card, of the person, of a file. It ends the login, which by
/// itself is only cancelled then, so that no error of the login must carry it.
final class LoginObstacle: Sendable {
  private let state = Mutex<(failure: Failure?, isGivenUp: Bool)>((nil, false))

  /// The failure. Once the login was given up, only an answer of the card counts, because a try may be gone.
  var failure: Failure? {
    state.withLock { state in
      state.failure.flatMap { state.isGivenUp && !$0.isAnswerOfTheCard ? nil : $0 }
    }
  }

  func note(_ failure: Failure) { state.withLock { $0.failure = failure } }

  func giveUp() { state.withLock { $0.isGivenUp = true } }

  /// Runs the card's part inside of the login.
  func catching<Result>(_ body: () throws(Failure) -> Result) throws(LoginError) -> Result {
    do { return try body() } catch {
      if let error = error.login { throw error }
      note(error)
      throw .cancelled
    }
  }

  /// Runs a question to the person inside of the login.
  func cancelling<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(CancellationError) -> Result {
    do { return try body() } catch {
      note(error)
      throw CancellationError()
    }
  }
}

extension Failure {
  init(_ error: LoginError) {
    self =
      switch error {
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      default: .login(error)
      }
  }

  fileprivate var isAnswerOfTheCard: Bool {
    guard case .card(let error) = self else { return false }
    if case .channel = error.reason { return false }
    return true
  }
}
