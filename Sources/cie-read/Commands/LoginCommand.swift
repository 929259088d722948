import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow
import SignIn

/// `cie-read login`: the login with the card, for the browser that began it or by itself.
struct LoginCommand: CommandWork {
  static let configuration = CommandConfiguration("login", "command.login")
  /// The last one is that of `check-link`, whose answers have the name of this command.
  static let results: [any FunctionResult.Type] = [
    CompletedLogin.self, CompletedSignIn.self, LoginReceiver.self,
  ]

  private let link: String?
  private let login: LoginOptions
  private let signIn: SignInOptions
  private let end: LoginEndOptions
  private let pin: CodeInput
  private let holder: HolderChoice
  private let source: SourceOptions

  init(from inputs: inout Inputs) throws(Failure) {
    link = try inputs.optionalArgument("link", help: "option.login.link", value: "link")
    login = try inputs.part()
    signIn = try inputs.part()
    end = try inputs.part()
    pin = try inputs.code(.pin)
    holder = try inputs.part()
    source = try inputs.part()
    _ = try inputs.part(OutputOptions.self)
  }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard (1...86_400).contains(login.deadline) else { throw .usage("bad-deadline") }
    return try context.ending(after: login.deadline) { () throws(Failure) in
      try run(in: context)
    }
  }

  private func run(in context: RunContext) throws(Failure) -> CommandOutcome {
    var context = context
    context.standardInputIsData = link == "-" || login.return == .stdin
    try signIn.check()
    guard let name = signIn.service else {
      guard link == nil || login.browser == nil else {
        throw .otherStart(option: "--browser", needsLink: false)
      }
      return try logIn(try LoginSettings(login, end, link: link, in: context), nil, in: context)
    }
    guard link == nil, login.spUrl == nil else { throw .usage("several-starts") }
    let service = try ServiceLogin(name, signIn, timeout: login.timeout, in: context)
    guard let card = service.cardLogin else {
      let signIn = try service.run(
        login, opensBrowser: end.open, showsValues: end.showAttributes)
      return CommandOutcome(signIn, context.language)
    }
    let settings = try LoginSettings(login, end, link: nil, service: card, in: context)
    return try logIn(settings, service, in: context)
  }

  private func logIn(
    _ settings: LoginSettings, _ service: ServiceLogin?, in context: RunContext
  ) throws(Failure) -> CommandOutcome {
    var browser = try login.installedBrowser(end)
    if browser == nil, link == nil, service == nil { browser = try offeredBrowser(in: context) }
    let use = try AddressUse(end)
    let card = try source.conversation()
    // Made before the login begins: no login is spent on a full disk or a missing folder.
    let cookies = try OutputFile.made(
      login.cookies, mode: 0o600, overwriting: context.mayOverwrite)
    let pageFile = try end.savePage.map { (path) throws(Failure) in
      try PageFile(path, overwriting: context.mayOverwrite)
    }
    defer { pageFile?.discard() }
    let job = LoginJob(
      settings: settings, pin: try pin.held(in: context),
      access: try holder.access(in: context),
      answers: LoginAnswers(
        consent: login.consent, showsSteps: login.verbose, pageFile: pageFile,
        channel: login.return, codeFile: login.qr),
      browser: browser)
    var completed = try job.run(on: card, in: context)
    var kept: CompletedSignIn?
    switch completed {
    case .address(var address):
      use.handOver(&address, in: context)
      completed = .address(address)
    case .loggedIn(var own):
      // Netscape's form, which curl reads with `--cookie`.
      let lines = ["# Netscape HTTP Cookie File"] + own.session.cookies.map(\.netscapeLine)
      try cookies?.commit([UInt8](lines.map { $0 + "\n" }.joined().utf8))
      own.cookies = login.cookies
      own.showsValues = end.showAttributes
      own.isKept = service != nil
      completed = .loggedIn(own)
      kept = try service?.keep(own.session)
    case .left, .refused: break
    }
    var outcome = CommandOutcome(completed, context.language)
    outcome.members += kept?.members(context.language) ?? []
    return outcome
  }

  /// The browser that a person at a desktop's terminal wants after all, because the session of a login without one ends with
  /// this program. The question is left out if an option says what is to become of the session, or answers for the person.
  private func offeredBrowser(in context: RunContext) throws(Failure) -> InstalledBrowser? {
    let isGiven = [
      login.cookies != nil, login.consent != nil, pin.isGiven, context.isJSON,
      context.isQuiet, !end.ofPage.isEmpty,
    ]
    guard !isGiven.contains(true), isatty(STDIN_FILENO) == 1,
      ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { Environment.value(of: $0) != nil }),
      let browser = InstalledBrowser(InstalledBrowser.Kind.allCases),
      let terminal = QuestionTerminal(context)
    else { return nil }
    let reason = Message("login.session-ends")(context.language)
    return try terminal.agrees(to: Message("login.browser-question"), [reason]) ? browser : nil
  }
}
