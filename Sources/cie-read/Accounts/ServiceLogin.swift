import CIECard
import Glibc
import Messages
import RedirectFlow
import SignIn
import System

/// A login at a service whose description says which ways in there are.
struct ServiceLogin {
  let description: ServiceDescription
  let method: SignInMethod
  private let options: SignInOptions
  private let timeout: Duration
  private let session: Session

  /// Reads the description and settles on a way in: that of --method, the only one, or the person's choice.
  init(
    _ service: String, _ options: SignInOptions, timeout: Int, in session: Session
  ) throws(Failure) {
    self.options = options
    self.timeout = .seconds(timeout)
    self.session = session
    description = try Self.description(service, .seconds(timeout), session)
    let offered = SignInService(description).methods
    if let method = try options.chosen(of: offered) {
      self.method = method
      return
    }
    guard let terminal = QuestionTerminal(session) else {
      throw .usage(.optionNeeded("--method", choices: offered.map(\.rawValue)))
    }
    let index = try terminal.choose(
      Message("method.question", ["service": description.name.display]),
      offered.map { Message("method.\($0.rawValue)")(session.language) })
    method = offered[index]
  }

  private static func description(
    _ service: String, _ timeout: Duration, _ session: Session
  ) throws(Failure) -> ServiceDescription {
    do throws(ServiceProblem) {
      guard service.hasPrefix("https://") else { return try ServiceDescription(file: service) }
    } catch { throw .service(error) }
    guard let url = try? RedirectURL(service) else { throw .service(.notHTTPS("--service")) }
    let result = try AwaitedWork.signingIn(session, cancel: {}) {
      () async throws(SignInError) -> Result<ServiceDescription, ServiceProblem> in
      let context = try SignInContext(service: "", trust: .system, timeout: timeout)
      do throws(ServiceProblem) {
        return .success(try await ServiceDescription(at: url, context))
      } catch { return .failure(error) }
    }
    do throws(ServiceProblem) { return try result.get() } catch { throw .service(error) }
  }

  /// The card's or the app's login, where that is the way in: from which page, in which environment.
  var cardLogin: (page: RedirectURL, environment: LoginEnvironment)? {
    switch description.method(method) {
    case let card as CardSignIn: (card.start, card.environment)
    case let app as AppSignIn: (app.start, app.environment)
    default: nil
    }
  }

  /// The page that sends the request of --auth-json from the person's browser, where a browser is what the way in needs;
  /// `nil` for any other sign-in.
  func requestPage() throws(Failure) -> CommandOutcome? {
    guard let answer = try answer() else { return nil }
    guard let spid = description.method(method) as? SPIDSignIn else {
      throw .signIn(SignInError(.notOffered))
    }
    guard spid.isAssisted else { return nil }
    guard let path = options.authPage else {
      throw .usage(.optionNeeded("--auth-page", choices: []))
    }
    let file = try OutputFile(path, mode: 0o600, overwriting: session.mayOverwrite)
    let request: SPIDRequest
    do throws(SignInError) {
      request = try SignInService(description).spidRequest(json: answer)
    } catch {
      throw .signIn(error)
    }
    try file.commit(request.page(AccountSession.words(session)))
    return CommandOutcome(
      lines: [Message("auth-page.written", ["path": path])(session.language)],
      members: [.init("authPage", path)])
  }

  /// What the service's `auth-spid` has answered, where that is in a file.
  private func answer() throws(Failure) -> [UInt8]? {
    try options.authJson.map { (path) throws(Failure) in
      try InputFile.read(path, limit: 256 << 10)
    }
  }

  /// Signs in by any other way.
  func complete(_ consent: ConsentOption?, opensBrowser: Bool) throws(Failure) -> Account {
    let signIn: SignInSession
    let flow = try options.chosenFlow()
    let current = flow.flatMap { $0 == .login ? nil : try? AccountSession.current().account }
    var hooks = SignInHooks()
    hooks.answer = try answer()
    if options.tokenOnly { hooks.identityApp.shouldFetch = { _ in false } }
    hooks.show = { [session] in session.show($0) }
    do throws(SignInError) {
      let context = try AccountSession.context(
        description, service: description.name.display, timeout, session)
      signIn = try SignInService(description).signIn(
        by: method, hooks: hooks, flow: flow, of: current, context)
    } catch { throw .signIn(error) }
    // Whoever is asked for a password must see whose it is.
    var asking = session
    asking.place = description.name.display
    return try SignInRun(
      options: options, consent: consent, opensBrowser: opensBrowser, session: asking
    ).complete(signIn)
  }

  /// Keeps what the login with the card or the app came to.
  func keep(_ login: LoggedIn) throws(Failure) -> CommandOutcome {
    try outcome(
      Account(
        service: description.name.display, method: method.rawValue,
        claims: AccountClaims(login.attributes), begun: session.time), showsValues: false)
  }

  /// The token alone, not looked at, for the program's own server; nobody is signed in here.
  private func outcome(ofTokenOf account: Account) throws(Failure) -> CommandOutcome {
    guard let token = account.tokens?.identity ?? account.tokens?.access else {
      throw .signIn(SignInError(.notOffered))
    }
    return CommandOutcome(
      lines: [token], members: [.init("kind", "identity"), .init("token", token)])
  }

  /// Keeps an account, and says what came of the sign-in.
  func outcome(_ account: Account, showsValues: Bool) throws(Failure) -> CommandOutcome {
    guard !options.tokenOnly else { return try outcome(ofTokenOf: account) }
    let protection: SessionProtection
    do throws(SignInError) {
      protection = try AccountSession.keeper().keep(SignedIn(account, at: description))
    } catch { throw .signIn(error) }
    // The network is there: sign-outs that a provider has not heard of yet are told. That one fails says nothing of this.
    let make = AccountSession.context(timeout, session)
    _ = try? AwaitedWork.signingIn(session, cancel: {}) { () async throws(SignInError) in
      try await AccountSession.keeper().tellPending(make)
    }
    let way = Message("method.\(account.method)")
    var outcome = CommandOutcome()
    outcome.lines = [
      Message("signed-in", ["service": account.service, "method": way])(session.language)
    ]
    outcome.lines += account.claims.lines(showsValues: showsValues, session.language)
    outcome.members = account.members(protection, showsClaims: showsValues)
    return outcome
  }
}

extension Session {
  /// Shows a result of the government kit's server as text, beside what the command finds.
  fileprivate func show(_ result: ResultTemplate) {
    guard !isQuiet, !isJSON || Stream.error.isTerminal else { return }
    progress.clear()
    let buttons = result.buttons.map { "[\($0.display)]" }.joined(separator: " ")
    Stream.error.write(
      lines: [result.title.display, result.text.display, buttons].filter { !$0.isEmpty })
  }
}
