import ArgumentParser
import Glibc
import Messages
import System

/// `cie-read browser`: where the PKCS #11 module is registered, and this program for links.
struct BrowserCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "browser", "command.browser",
      subcommands: [
        BrowserStatusCommand.self, BrowserInstallCommand.self, BrowserRemoveCommand.self,
        HelpCommand<BrowserCommand>.self,
      ])
  }
}

/// `cie-read browser status`: what knows the module, and this program.
struct BrowserStatusCommand: CardCommand {
  static var name: String? { "browser status" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("status", "command.browser-status")
  }

  @OptionGroup var output: OutputOptions
  @ParentCommand var root: CieRead

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try root.requireNoSource()
    return try .browsers(Registrant.allCases, in: session) { registration throws(Failure) in
      try registration.read()
    }
  }
}

/// `cie-read browser install`: makes the module known, and this program.
struct BrowserInstallCommand: CardCommand {
  static var name: String? { "browser install" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("install", "command.browser-install")
  }

  @Argument(
    help: .text("option.browser.to", value: "program"))
  var to: [Registrant] = Registrant.usual
  @Option(
    help: .text("option.browser.module", value: "file"), completion: .file(extensions: ["so"]))
  var module: String?
  @Flag(
    help: .text("option.browser.isolated"))
  var isolated = false
  @OptionGroup var output: OutputOptions
  @ParentCommand var root: CieRead

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try root.requireNoSource()
    let module: String? = to.contains(where: \.needsModule) ? try path() : nil
    guard let program else { throw .file(.unreadable(path: "/proc/self/exe", errno: errno)) }
    var outcome = try CommandOutcome.browsers(to, in: session) { registration throws(Failure) in
      try registration.install(
        (registration.registrant.needsModule ? module : nil) ?? program, isIsolated: isolated)
    }
    outcome.members.insert(.init("module", module), at: 0)
    return outcome
  }

  /// The absolute path of the module, because programs that load it have working folders of their own. Links stay: they
  /// outlive an update.
  private func path() throws(Failure) -> String {
    let given = module ?? program.flatMap { RegistrationSearch.module(of: $0) }
    guard let given else { throw .usage(.noModule) }
    guard access(given, R_OK) == 0 else {
      throw .file(.unreadable(path: given, errno: errno))
    }
    // Not all of those who read the path can quote it.
    guard given.utf8.allSatisfy({ $0 > 0x20 && !"\"\\|".utf8.contains($0) }) else {
      throw .file(.unreadable(path: given, errno: EINVAL))
    }
    guard !given.hasPrefix("/"), let folder = getcwd(nil, 0) else { return given }
    defer { free(folder) }
    return String(cString: folder) + "/" + given
  }

  private var program: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }
}

/// `cie-read browser remove`: undoes `install`.
struct BrowserRemoveCommand: CardCommand {
  static var name: String? { "browser remove" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("remove", "command.browser-remove")
  }

  @Argument(
    help: .text("option.browser.from", value: "program"))
  var from: [Registrant] = Registrant.allCases
  @OptionGroup var output: OutputOptions
  @ParentCommand var root: CieRead

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try root.requireNoSource()
    return try .browsers(from, in: session) { registration throws(Failure) in
      try registration.remove()
    }
  }
}

extension CommandOutcome {
  /// Does the same to the files of some registrants and tells of each.
  fileprivate static func browsers(
    _ registrants: [Registrant], in session: Session,
    _ change: (Registration) throws(Failure) -> RegistrationChange
  ) throws(Failure) -> CommandOutcome {
    guard let search = RegistrationSearch({ getenv($0).map { String(cString: $0) } }) else {
      throw .usage(.noHome)
    }
    let language = session.language
    var (lines, rows): ([String], [JSON]) = ([], [])
    for registrant in registrants {
      let registrations = search.registrations(of: registrant)
      if registrations.isEmpty {
        lines.append(
          Message("browser.none", ["program": registrant.rawValue])(language))
      }
      for registration in registrations {
        let row = try change(registration)
        lines += row.messages.map { $0(language) }
        rows.append(row.json)
      }
    }
    for path in search.unreachable {
      lines.append(Message("browser.unreachable", ["path": path])(language))
    }
    return CommandOutcome(
      lines: lines,
      members: [
        .init("registrations", .array(rows)),
        .init("unreachable", .array(search.unreachable.map(JSON.string))),
      ])
  }
}

extension RegistrationChange {
  private var program: String { registration.registrant.rawValue }

  fileprivate var messages: [Message] {
    let path = registration.path
    switch state {
    case .absent where isChanged:
      return [Message("browser.removed", ["program": program, "path": path])]
    case .absent: return [Message("browser.absent", ["program": program, "path": path])]
    case .foreign where registration.isHandlerList:
      return [Message("browser.foreign-desktop", ["program": program, "path": path])]
    case .foreign: return [Message("browser.foreign", ["program": program, "path": path])]
    case .registered(let what):
      let told = registration.registrant.needsModule ? registered(what) : opening(what)
      // The desktop has two files; what is to be known then is told after the second.
      let isLast = registration.registrant != .desktop || registration.isHandlerList
      return isChanged && isLast ? [told, next] : [told]
    }
  }

  /// The module is registered.
  private func registered(_ module: String) -> Message {
    let path = registration.path
    return isChanged
      ? Message("browser.installed", ["program": program, "path": path, "module": module])
      : Message("browser.registered", ["program": program, "path": path, "module": module])
  }

  /// Links are opened by a program.
  private func opening(_ what: String) -> Message {
    let path = registration.path
    return isChanged
      ? Message("browser.installed-desktop", ["program": program, "path": path, "what": what])
      : Message("browser.registered-desktop", ["program": program, "path": path, "what": what])
  }

  /// What is to be done after installing.
  private var next: Message {
    switch registration.registrant {
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
