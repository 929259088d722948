import ArgumentParser
import CIECard
import Glibc
import Messages
import Pictures

/// The way in, and the only way out: by then every channel is closed and the terminal is as it was.
@main
enum Program {
  static func main() {
    // A decoder does nothing else, and gets nothing of what is set up here.
    if PictureProcess.isServing { exit(PictureProcess.serve()) }
    ProcessSecrecy.begin()
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
    do {
      let ordered: [String]
      do throws(UsageProblem) { ordered = try CommandLineOrder.normalized(arguments) } catch {
        return present(.failure(.usage(error)))
      }
      if Set(arguments).subtracting(["--json"]) == ["--version"] {
        let text = CieRead.configuration.version
        return present(
          .success(CommandOutcome(lines: [text], members: [.init("version", CieRead.version)])))
      }
      do throws(UsageProblem) {
        if let topic = try HelpTopic(ordered) {
          return present(.success(topic.outcome(in: session)))
        }
      } catch { return present(.failure(.usage(error))) }
      let command = try CieRead.parseAsRoot(ordered)
      if let command = command as? any CardCommand {
        let presenter = Presenter(
          command: type(of: command).name, isJSON: session.isJSON, session: session)
        session.interruption.whenOverdue {
          session.progress.clear()
          // A command that sets a PIN may be on its way: then which PIN is in force is not known.
          let doubt = session.interruption.pinInFlight.map {
            Failure.card(CardError($0, .outcomeUnknown(because: .channel(.cancelled))))
          }
          _exit(presenter.present(.failure(doubt ?? .interrupted)).rawValue)
        }
        return present(command.outcome(in: session), of: type(of: command).name)
      }
      if command is CieRead || command is PINCommand || command is TrustCommand {
        return present(.failure(.usage(.noCommand)))
      }
      // What is left is ArgumentParser's own help command, which throws the help.
      session.interruption.beginEnd()
      var help = command
      try help.run()
      return .ok
    } catch {
      guard CieRead.exitCode(for: error) == .success else {
        let problem = ParserProblem(message: CieRead.message(for: error))
        return present(.failure(.usage(.parser(problem))))
      }
      let lines = HelpText.lines(session.language) { CieRead.fullMessage(for: error, columns: $0) }
      return Presenter(command: nil, isJSON: false, session: session)
        .present(.success(CommandOutcome(lines: lines)))
    }
  }
}
