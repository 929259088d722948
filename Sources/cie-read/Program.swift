import ArgumentParser
import CIECard
import CProcessControl
import Glibc
import Messages
import Pictures
import System

/// The way in, and the only way out: by then every channel is closed and the terminal is as it was.
@main
enum Program {
  static func main() {
    // A decoder does nothing else, and gets nothing of what is set up here.
    if PictureProcess.isServing { exit(PictureProcess.serve()) }
    // No core dump, no debugger of the same user, no secrets in the swap space; what the system does not grant is done
    // without. Before there are other threads and secrets.
    cie_keep_memory_private()
    SecretMemory.begin()
    Stream.occupyClosedDescriptors()
    // libcurl would create the file that it names; who sees the keys of a login sees the person's data.
    unsetenv("SSLKEYLOGFILE")
    let interruption = Interruption()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let language = Language(arguments: arguments) { name in
      getenv(name).map { String(cString: $0) }
    }
    var session = Session(language, interruption)
    session.mayOverwrite = Self.options(in: arguments).contains("--force")
    session.isJSON = Self.options(in: arguments).contains("--json")
    session.isQuiet = Self.options(in: arguments).contains("--quiet")
    session.usesPinentry =
      Self.options(in: arguments).contains("--pinentry")
      || Pinentry.isOnlyWay { name in getenv(name).map { String(cString: $0) } }
    let status = Language.$ofHelp.withValue(language) { [session] in run(arguments, session) }
    fflush(nil)
    // Not exit(): a call to the service that was left behind may come back while libraries are being taken apart.
    _exit(status.rawValue)
  }

  private static func options(in arguments: [String]) -> ArraySlice<String> {
    arguments.prefix { $0 != "--" }
  }

  private static func run(_ arguments: [String], _ session: Session) -> ExitStatus {
    func present(_ result: Result<CommandOutcome, Failure>, of command: String? = nil) -> ExitStatus
    {
      session.interruption.beginEnd()
      return Presenter(command: command, isJSON: session.isJSON, session: session).present(result)
    }
    // Known without the declarations of all commands.
    if Set(arguments).subtracting(["--json"]) == ["--version"] {
      return present(.success(.version))
    }
    // The shell asks while somebody types; whatever is on the line by then, nothing but an answer may come of it.
    let isCompletion = arguments.first == "---completion"
    guard isCompletion || !OptionalValue.virtual.hasUnknown(in: arguments, joinedOnly: true) else {
      return present(.failure(.usage(.unknownPersona)))
    }
    guard isCompletion || !OptionalValue.browser.hasUnknown(in: arguments, joinedOnly: false) else {
      return present(.failure(.usage(.badBrowser)))
    }
    do {
      let command = try CieRead.parseAsRoot(
        isCompletion ? arguments : OptionalValue.separated(arguments))
      guard let command = command as? any CardCommand else {
        // Who types the bare name wants to know what it is.
        if let root = command as? CieRead, root.source.given == nil, !session.isJSON {
          let page = HelpPage([CieRead.self], session.language)
          return present(.success(CommandOutcome(lines: page.lines)))
        }
        guard type(of: command).configuration.subcommands.isEmpty else {
          return present(.failure(.usage(.noCommand)))
        }
        // ArgumentParser's own, which throws that help is wanted.
        var help = command
        try help.run()
        return .ok
      }
      let name = type(of: command).name
      let presenter = Presenter(command: name, isJSON: session.isJSON, session: session)
      session.interruption.whenOverdue {
        session.progress.clear()
        // A command that sets a PIN may be on its way: then which PIN is in force is not known.
        let doubt = session.interruption.pinInFlight.map {
          Failure.card(CardError($0, .outcomeUnknown(because: .channel(.cancelled))))
        }
        _exit(presenter.present(.failure(doubt ?? .interrupted)).rawValue)
      }
      let status = present(command.outcome(in: session), of: name)
      if command.staysOpen { QuestionTerminal(session)?.waitForEnter() }
      return status
    } catch {
      let end = ParserEnd(error)
      let isProblem = CieRead.exitCode(for: error) != .success
      switch end.name {
      case "helpRequested":
        let page = CommandOutcome(lines: HelpPage(end.commands, session.language).lines)
        return Presenter(command: nil, isJSON: false, session: session).present(.success(page))
      case "versionRequested": return present(.success(.version))
      case _ where isProblem && isCompletion: return .usage
      case _ where isProblem: return present(.failure(.usage(problem(end, arguments))))
      // A completion script, or what a tool asks for.
      default:
        let lines = CieRead.fullMessage(for: error).split(
          separator: "\n", omittingEmptySubsequences: false)
        return present(.success(CommandOutcome(lines: lines.map(String.init))))
      }
    }
  }

  private static func problem(_ end: ParserEnd, _ arguments: [String]) -> Diagnosis {
    let command: any ParsableCommand.Type = end.commands.last ?? CieRead.self
    let problem = Diagnosis.usage(end) { DeclaredArgument.name(like: $0, of: command) }
    if let problem { return problem }
    if OptionalValue.virtual.hasUnknown(in: arguments, joinedOnly: false) { return .unknownPersona }
    return command.configuration.subcommands.isEmpty ? .unexpectedWords : .unknownCommand
  }
}

extension CommandOutcome {
  fileprivate static let version = CommandOutcome(
    lines: [CieRead.configuration.version], members: [.init("version", CieRead.version)])
}
