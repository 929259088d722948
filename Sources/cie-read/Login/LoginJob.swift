import CIECard
import CardWork
import Messages
import RedirectFlow

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
struct LoginJob: Sendable {
  let settings: LoginSettings
  let pin: HeldCode
  let access: HolderAccess
  var answers = LoginAnswers()
  /// The browser that is watched; `nil` for the login without one.
  var browser: InstalledBrowser?

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CompletedLogin {
    switch settings.start {
    case .link(let link):
      let url = try wait(card, context) { (login) async throws(LoginError) in
        try await login.complete(link)
      }
      return .address(CompletedAddress(url: url))
    case .page(let page):
      if let browser {
        // Made last, because it is on the screen at once.
        let window = try browser.open(in: context)
        defer { window.end() }
        let reached = try wait(card, context) { (login) async throws(LoginError) in
          try await login.logIn(at: page, in: window)
        }
        window.leave()
        return .left(in: browser.path, at: reached)
      }
      do throws(Failure) {
        let loggedIn = try wait(card, context) { (login) async throws(LoginError) in
          try await login.logIn(at: page)
        }
        return .loggedIn(CompletedLogin.OwnLogin(session: loggedIn))
      } catch {
        guard case .refusedByIdentityProvider(let status) = error.login?.cause else { throw error }
        return .refused(status)
      }
    }
  }

  private func wait<Value: Sendable>(
    _ card: Conversation, _ context: RunContext,
    for body: @escaping @Sendable (LoginSession) async throws(LoginError) -> Value
  ) throws(Failure) -> Value {
    let person = TerminalPrompts(answers: answers, context: context)
    let holder = HolderCard(card: card, pin: pin, access: access, context: context)
    let login = LoginSession(
      settings.configuration, card: LoginCard(holder), app: person, person: person,
      observer: person)
    defer { context.progress.clear() }
    do throws(LoginError) {
      return try AwaitedWork.value(until: context.interruption, cancel: login.cancel) {
        () async throws(LoginError) in try await body(login)
      }
    } catch {
      guard context.interruption.signal == nil else { throw .interrupted }
      throw Failure(error)
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

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    var answer: Result<Value, LoginError>?
    do throws(Failure) {
      var pin = try pin.code()
      try card.perform(in: context) { (card, random, context) throws(Failure) in
        let verified = try card.verified(with: &pin, access, random: &random, in: context)
        let key: CardLoginKey<SessionChannel>
        do throws(CardError) { key = try CardLoginKey(verified) } catch { throw .card(error) }
        context.progress.show(Message("login.proving-at-server"))
        answer = body(key)
      }
    } catch {
      // The failure of the login itself matters more than that of the end of the conversation.
      if case .failure(let error)? = answer { throw error }
      throw LoginError(of: error)
    }
    guard let answer else { throw LoginError(.cancelled) }
    return try answer.get()
  }

  func giveUp() { context.interruption.giveUp() }
}

extension LoginError {
  /// The end of a login by a failure of this program's part: of the card, of the person, of a file.
  fileprivate init(of failure: Failure) {
    switch failure {
    case .card(let error): self.init(.card(error))
    case .channel(let error): self.init(.channel(error))
    default: self.init(endedBy: failure)
    }
  }
}

extension Failure {
  init(_ error: LoginError) {
    self =
      switch error.cause {
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      default: error.thrown as? Failure ?? .login(error)
      }
  }
}
