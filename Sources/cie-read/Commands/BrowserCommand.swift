import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// `cie-read browser`: registers the PKCS #11 module, and this program for links.
struct BrowserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "browser", "command.browser",
    subcommands: [
      BrowserStatusCommand.self, BrowserInstallCommand.self, BrowserRemoveCommand.self,
      HelpCommand<BrowserCommand>.self,
    ])
}

/// `cie-read browser status`: lists the registrations of the module, and of this program.
struct BrowserStatusCommand: CardCommand {
  static let configuration = CommandConfiguration("status", "command.browser-status")

  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    var outcome = try CommandOutcome.browsers(Registrant.allCases, in: context) {
      registration throws(Failure) in
      try registration.read()
    }
    if let finding = Self.cardFinding(in: context) {
      outcome.lines += [finding.what, finding.remedy].compactMap {
        $0?.asTold(by: "cie-read")(context.language)
      }
      outcome.members.append(.init("card", finding.json(context.language)))
    }
    return outcome
  }

  /// The reason why the module will refuse the card that is in a reader now, by the certificates that it trusts.
  private static func cardFinding(in context: RunContext) -> DoctorFinding? {
    let imported = TrustFolder.path.flatMap { TrustFolder.store($0, context) }
    let trust = imported.map { TrustStore.italian.merged(with: $0) } ?? .italian
    var conversation = Conversation(source: .reader(.any, wait: .zero))
    conversation.isBriefLook = true
    return ReaderCheck(
      selection: .any, conversation: conversation, context: context,
      vouching: .required(trust, believesSoftwareCards: false, asksPerson: false)
    ).trustFindings().first
  }
}

/// `cie-read browser install`: registers the module, and this program.
struct BrowserInstallCommand: CardCommand {
  static let configuration = CommandConfiguration("install", "command.browser-install")

  @Argument(
    help: .text("option.browser.to", value: "program"))
  var to: [Registrant] = Registrant.usual
  @Option(
    help: .text("option.browser.module", value: "file"), completion: .file(ending: "so"))
  var module: String?
  @Flag(
    help: .text("option.browser.isolated"))
  var isolated = false
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let module: String? = to.contains(where: \.needsModule) ? try path() : nil
    guard let program else { throw .file(.unreadable(path: "/proc/self/exe", errno: errno)) }
    // It becomes a line of the desktop entry.
    guard program.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .file(.unreadable(path: program, errno: EINVAL))
    }
    var outcome = try CommandOutcome.browsers(
      to, ifStarted: to == Registrant.usual, in: context
    ) { registration throws(Failure) in
      try registration.install(
        (registration.registrant.needsModule ? module : nil) ?? program, isIsolated: isolated)
    }
    outcome.members.insert(.init("module", module), at: 0)
    return outcome
  }

  /// The absolute path of the module, because programs that load it have other working folders. Links stay, because
  /// they outlive an update.
  private func path() throws(Failure) -> String {
    let given = module ?? program.flatMap { RegistrationSearch.module(of: $0) }
    guard let given else { throw .usage("no-module") }
    guard access(given, R_OK) == 0 else {
      throw .file(.unreadable(path: given, errno: errno))
    }
    let path = Self.absolute(given)
    // Some programs that read the path cannot quote it.
    guard path.utf8.allSatisfy({ $0 > 0x20 && !"\"\\|".utf8.contains($0) }) else {
      throw .file(.unreadable(path: path, errno: EINVAL))
    }
    try Self.requireUnshared(path)
    return path
  }

  /// Requires that only the owner, this user or root, may change the file or replace it, because a module runs in every
  /// program that loads it.
  private static func requireUnshared(_ path: String) throws(Failure) {
    guard let target = realPath(path) else {
      throw .file(.unreadable(path: path, errno: errno))
    }
    let folders = [path, target].map { file in
      String(file[...(file.lastIndex(of: "/") ?? file.startIndex)])
    }
    for place in [path] + folders {
      var status = stat()
      guard stat(place, &status) == 0 else {
        throw .file(.unreadable(path: place, errno: errno))
      }
      let isOurs = status.st_uid == geteuid() || status.st_uid == 0
      // In a folder with the sticky bit only its owner replaces a file (inode(7)).
      let isGuarded = place != path && status.st_mode & 0o1000 != 0
      guard isOurs, isGuarded || !FileRights.isWritableByOthers(status) else {
        throw .file(.writableByOthers(path: place))
      }
    }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return (String(system: folder) ?? ".") + "/" + path
  }

  private var program: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(system: buffer.prefix(count)) : nil
  }
}

/// `cie-read browser remove`: undoes `install`.
struct BrowserRemoveCommand: CardCommand {
  static let configuration = CommandConfiguration("remove", "command.browser-remove")

  @Argument(
    help: .text("option.browser.from", value: "program"))
  var from: [Registrant] = Registrant.allCases
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    return try .browsers(from, in: context) { registration throws(Failure) in
      try registration.remove()
    }
  }
}

extension CommandOutcome {
  /// Applies an action to the files of some registrants and reports each.
  fileprivate static func browsers(
    _ registrants: [Registrant], ifStarted: Bool = false, in context: RunContext,
    _ change: (Registration) throws(Failure) -> RegistrationChange
  ) throws(Failure) -> CommandOutcome {
    guard let search = RegistrationSearch({ Environment.value(of: $0) }) else {
      throw .usage("no-home")
    }
    let language = context.language
    var (lines, rows): ([String], [JSON]) = ([], [])
    for registrant in registrants {
      let isLeftOut = ifStarted && !search.isStarted(registrant)
      let registrations = isLeftOut ? [] : search.registrations(of: registrant)
      if registrations.isEmpty {
        lines.append(
          Message("browser.none", ["program": registrant.rawValue])(language))
      }
      let changes = try registrations.map { (registration) throws(Failure) in
        try change(registration)
      }
      lines += changes.map { $0.message(language) }
      // Once, however many profiles there are.
      if let next = changes.compactMap(\.next).last { lines.append(next(language)) }
      rows += changes.map(\.json)
    }
    for path in search.unreachable {
      lines.append(Message("browser.unreachable", ["path": path])(language))
    }
    return CommandOutcome(
      lines: lines,
      members: [
        .init("registrations", .array(rows)),
        .init("unreachable", search.unreachable),
      ])
  }
}

extension RegistrationChange {
  private var program: String { registration.registrant.rawValue }

  fileprivate var message: Message {
    let path = registration.path
    return switch state {
    case .absent:
      Message(
        isChanged ? "browser.removed" : "browser.absent", ["program": program, "path": path])
    case .foreign:
      Message(
        registration.isHandlerList ? "browser.foreign-desktop" : "browser.foreign",
        ["program": program, "path": path])
    case .registered(let module) where registration.registrant.needsModule:
      Message(
        isChanged ? "browser.installed" : "browser.registered",
        ["program": program, "path": path, "module": module])
    case .registered(let what):
      Message(
        isChanged ? "browser.installed-desktop" : "browser.registered-desktop",
        ["program": program, "path": path, "what": what])
    }
  }

  /// The next steps after installing; `nil` after nothing new.
  fileprivate var next: Message? {
    guard case .registered = state, isChanged else { return nil }
    return switch registration.registrant {
    case .firefox: Message("browser.next-firefox")
    case .chromium: Message("browser.next-chromium")
    case .firefoxPolicy: Message("browser.next-policy")
    case .p11Kit: Message("browser.next-p11-kit")
    case .openSSH: Message("browser.next-openssh", ["path": registration.path])
    case .openSSL: Message("browser.next-openssl", ["path": registration.path])
    case .desktop: Message("browser.next-desktop")
    }
  }

  fileprivate var json: JSON {
    let (word, what): (String, String?) =
      switch state {
      case .absent: ("absent", nil)
      case .foreign: ("foreign", nil)
      case .registered(let what): ("registered", what)
      }
    let isModule = registration.registrant.needsModule
    return .object(
      [
        .init("program", program), .init("path", registration.path), .init("state", word),
        .init("module", isModule ? what : nil), .init("changed", isChanged),
      ] + (isModule ? [] : [.init("opener", what)]))
  }
}
