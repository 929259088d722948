import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow
import SignIn

/// `cie-read login`: the login with the card, for the browser that began it or by itself.
struct LoginCommand: CardCommand {
  static let configuration = CommandConfiguration("login", "command.login")

  @Argument(help: .text("option.login.link", value: "link")) var link: String?
  @OptionGroup var login: LoginOptions
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var end: LoginEndOptions
  @OptionGroup var pin: CodeOptions
  @OptionGroup var holder: Part<HolderChoice>
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  var staysOpen: Bool { login.stay }

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
      settings: settings, pin: try pin.held(context),
      access: try holder.value().access(in: context),
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
      login.cookies != nil, login.consent != nil, !pin.given.isEmpty, context.isJSON,
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
