import Arguments
import CIECard
import Messages
import RedirectFlow
import SignIn
import System

/// `cie-read login`: the login with the card, for the browser that began it or by itself.
struct LoginCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("login", "command.login")
  }

  @Argument(help: .text("option.login.link", value: "link")) var link: String?
  @OptionGroup var login: LoginOptions
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var end: LoginEndOptions
  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  var staysOpen: Bool { login.stay }

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    guard (1...86_400).contains(login.deadline) else { throw .usage(.badDeadline) }
    return try session.ending(after: login.deadline) { () throws(Failure) in
      try run(in: session)
    }
  }

  private func run(in session: Session) throws(Failure) -> CommandOutcome {
    var session = session
    session.standardInputIsData = link == "-" || login.return == .stdin
    try signIn.check()
    guard let name = signIn.service else {
      return try logIn(try LoginSettings(login, end, link: link, in: session), nil, in: session)
    }
    guard link == nil, login.spUrl == nil else { throw .usage(.severalStarts) }
    let service = try ServiceLogin(name, signIn, timeout: login.timeout, in: session)
    guard let card = service.cardLogin else {
      if let page = try service.requestPage() { return page }
      let account = try service.complete(login, opensBrowser: end.open)
      return try service.outcome(account, showsValues: end.showAttributes)
    }
    let settings = try LoginSettings(login, end, link: nil, service: card, in: session)
    return try logIn(settings, service, in: session)
  }

  /// The login with the card or the app.
  private func logIn(
    _ settings: LoginSettings, _ service: ServiceLogin?, in session: Session
  ) throws(Failure) -> CommandOutcome {
    let browser = try login.installedBrowser(end, startIsLink: link != nil)
    let address = try CompletedAddress(end)
    let card = try source.conversation()
    // Made before the login begins: no login is spent on a full disk or a missing folder.
    let cookies = try OutputFile.made(
      login.cookies, mode: 0o600, overwriting: session.mayOverwrite)
    let pageFile = try end.savePage.map { (path) throws(Failure) in
      try PageFile(path, overwriting: session.mayOverwrite)
    }
    defer { pageFile?.discard() }
    let access = HolderCard(
      card, code: try pin.code(session), access: try holder.access(in: session), in: session)
    let person = LoginPerson(
      consent: login.consent, isJSON: output.json, isTold: login.verbose, pageFile: pageFile,
      session: session)
    let run = LoginRun(
      settings: settings, card: access, person: person,
      app: LoginApp(channel: login.return, code: login.qr, session: session), session: session)
    switch settings.start {
    case .link(let link):
      return address.handOver(try run.complete(link), person)
    case .page(let page):
      if let browser {
        // Made last, because it is on the screen at once.
        let window = try browser.open(in: session)
        defer { window.end() }
        let reached = try run.logIn(at: page, in: window)
        window.leave()
        return CommandOutcome(leftIn: browser.path, at: reached, session.language)
      }
      let loggedIn: LoggedIn
      do throws(Failure) { loggedIn = try run.logIn(at: page) } catch {
        guard case .login(.refusedByIdentityProvider(let status)) = error else { throw error }
        var outcome = CommandOutcome()
        outcome.members = [.init("samlStatus", status.uri)]
        outcome.failure = error
        return outcome
      }
      // Netscape's form, which curl reads with `--cookie`.
      let lines = ["# Netscape HTTP Cookie File"] + loggedIn.cookies.map(\.netscapeLine)
      try cookies?.commit([UInt8](lines.map { $0 + "\n" }.joined().utf8))
      var outcome = CommandOutcome(
        loggedIn, cookies: login.cookies, showsValues: end.showAttributes, session.language)
      if let service { outcome.members += try service.keep(loggedIn).members }
      return outcome
    }
  }
}

extension LoginCommand {
  /// Completes a login that a browser began, for a caller that takes the address with which the browser continues.
  static func outcome(
    of link: String, by card: HolderCard, _ configuration: LoginConfiguration, in session: Session
  ) throws(Failure) -> CommandOutcome {
    let person = LoginPerson(
      consent: nil, isJSON: true, isTold: false, pageFile: nil, session: session)
    let run = LoginRun(
      settings: LoginSettings(link: link, configuration), card: card, person: person,
      app: LoginApp(channel: .loopback, code: nil, session: session), session: session)
    var outcome = CommandOutcome()
    outcome.members = [
      .init("completedUrl", try run.complete(link).text), .init("copied", false),
      .init("opened", false),
    ]
    return outcome
  }
}

extension CommandOutcome {
  /// The completed address was loaded in a browser, where the person continues.
  fileprivate init(leftIn browser: String, at page: RedirectURL, _ language: Language) {
    lines = [Message("login.left-in-browser")(language)]
    members = [.init("browser", browser), .init("url", page.description)]
  }

  /// The query of the last page may be any text, and is not shown.
  fileprivate init(
    _ session: LoggedIn, cookies: String?, showsValues: Bool, _ language: Language
  ) {
    let names = session.attributes.map(\.name)
    lines = [
      Message("login.done", ["url": session.url, "status": session.status])(language)
    ]
    if showsValues {
      lines += session.attributes.map {
        let value = $0.values.joined(separator: ", ")
        return "  "
          + Message("labelled", ["label": $0.friendlyName ?? $0.name, "value": value])(language)
      }
    } else if !names.isEmpty {
      lines.append(
        Message("login.told", ["names": names.joined(separator: ", ")])(language))
    }
    members = [
      .init("finalUrl", session.url.description), .init("status", session.status),
      .init("cookies", cookies), .init("samlStatus", session.samlStatus.uri),
      .init("attributes", .array(names.map(JSON.string))),
    ]
    guard showsValues else { return }
    members.append(
      .init(
        "attributeValues",
        .array(
          session.attributes.map { attribute in
            .object([
              .init("name", attribute.name), .init("friendlyName", attribute.friendlyName),
              .init("values", .array(attribute.values.map(JSON.string))),
            ])
          })))
  }
}
