import Accounts
import CIECard
import CardWork
import Glibc
import Messages
import RedirectFlow
import SignIn
import Primitives

/// Login at a service with a description of its sign-in methods.
struct ServiceLogin {
  private let service: SignInService
  let method: SignInMethod
  private let options: SignInOptions
  private let timeout: Duration
  private let context: RunContext

  /// Reads the description and selects a method: that of --method, the only one, or the person's choice.
  init(
    _ service: String, _ options: SignInOptions, timeout: Int, in context: RunContext
  ) throws(Failure) {
    self.options = options
    self.timeout = .seconds(timeout)
    self.context = context
    self.service = try Self.service(service, .seconds(timeout), context)
    let offered = self.service.methods
    if let method = try options.chosen(of: offered) {
      self.method = method
      return
    }
    guard let terminal = QuestionTerminal(context) else {
      throw .optionNeeded("--method", choices: offered.map(\.rawValue))
    }
    let index = try terminal.choose(
      Message("method.question", ["service": self.service.name.display]),
      offered.map { Message("method.\($0.rawValue)")(context.language) })
    method = offered[index]
  }

  private static func service(
    _ name: String, _ timeout: Duration, _ context: RunContext
  ) throws(Failure) -> SignInService {
    guard name.hasPrefix("https://") else {
      return try mapError(try SignInService(file: name)) { Failure.above($0 as SignInError) }
    }
    guard let url = try? RedirectURL(name) else {
      throw .above(SignInError(.description(.notHTTPS("--service"))))
    }
    return try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
      try await SignInService(at: url, timeout: timeout)
    }
  }

  var cardLogin: (page: RedirectURL, environment: LoginEnvironment)? {
    service.cardLogin(by: method)
  }

  /// Signs in by any other method.
  func run(
    _ login: LoginOptions, opensBrowser: Bool, showsValues: Bool
  ) throws(Failure) -> CompletedSignIn {
    if let authJson = options.authJson { return .requestPage(try requestPage(for: authJson)) }
    return try end(try complete(login, opensBrowser: opensBrowser), showsValues: showsValues)
  }

  /// Writes the page that sends the request of --auth-json from the person's browser, for SPID alone.
  ///
  /// - Returns: its path.
  private func requestPage(for authJson: String) throws(Failure) -> String {
    let answer = try InputFile.read(authJson, limit: 256 << 10)
    guard method == .spid else { throw .above(SignInError(.notOffered)) }
    guard let path = options.authPage else {
      throw .optionNeeded("--auth-page")
    }
    let file = try OutputFile(path, mode: 0o600, overwriting: context.mayOverwrite)
    let request = try mapError(try service.spidRequest(json: answer)) {
      Failure.above($0 as SignInError)
    }
    try file.commit(request.page(LoginConfiguration.ReturnWords(context.language)))
    return path
  }

  private func complete(_ login: LoginOptions, opensBrowser: Bool) throws(Failure) -> Account {
    let browser = try login.installedBrowser()
    let flow = try options.chosenFlow()
    let current = flow.flatMap { $0 == .login ? nil : try? AccountSession.current() }
    var hooks = SignInHooks()
    if options.tokenOnly { hooks.identityApp.shouldFetch = { _ in false } }
    hooks.show = { [context] in context.show($0) }
    let signIn = try mapError(
      try service.signIn(
        by: method, hooks: hooks, flow: flow, of: current,
        SignInContext(
          service: service.name.display, trust: service.description.trust, timeout: timeout,
          version: ProgramRelease.version,
          returnWords: LoginConfiguration.ReturnWords(context.language)))
    ) { Failure.above($0 as SignInError) }
    // The prompt for a password must name the service.
    var asking = context
    asking.place = service.name.display
    return try SignInRun(
      options: options, channel: login.return, browser: browser,
      opensBrowser: opensBrowser, context: asking
    ).complete(signIn)
  }

  /// Stores the result of the login with the card or the app.
  func keep(_ login: LoggedIn) throws(Failure) -> CompletedSignIn {
    try end(
      Account(
        service: service.name.display, method: method.rawValue,
        claims: AccountClaims(login.attributes), begun: context.time), showsValues: false)
  }

  private func end(_ account: Account, showsValues: Bool) throws(Failure) -> CompletedSignIn {
    guard !options.tokenOnly else {
      // Unverified, for the program's own server; no account is stored.
      guard let token = account.tokens?.identity ?? account.tokens?.access else {
        throw .above(SignInError(.notOffered))
      }
      return .token(token)
    }
    let protection = try mapError(try AccountSession.keeper().keep(account, of: service)) {
      Failure.above($0 as SignInError)
    }
    // Reading the state extends a local code that was set before to this session.
    _ = try? AccountSession.lockState()
    // Sends pending sign-outs, because the network is up. A failure does not affect this sign-in.
    let timeout = timeout
    _ = try? AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
      try await AccountSession.keeper(timeout).tellPending()
    }
    return .account(
      CompletedSignIn.Kept(
        account: account, protection: protection, isFromCard: cardLogin != nil,
        showsValues: showsValues))
  }
}

extension RunContext {
  /// Shows a result of the government kit's server as text, beside the output of the command.
  fileprivate func show(_ result: ResultTemplate) {
    guard !isQuiet, !isJSON || Stream.error.isTerminal else { return }
    progress.clear()
    let buttons = result.buttons.map { "[\($0.display)]" }.joined(separator: " ")
    Stream.error.write(
      lines: [result.title.display, result.text.display, buttons].filter { !$0.isEmpty })
  }
}
