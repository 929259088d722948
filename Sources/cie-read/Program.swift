import Arguments
import CIECard
import CProcessControl
import CardWork
import Glibc
import Messages
import Pictures
import Primitives

/// The entry point, and the only exit: at it every channel is closed and the terminal restored.
@main
enum Program {
  static func main() {
    endAtCrash()
    CryptoMemory.observe()
    // A decoder has no other task, and gets none of the state set up here.
    if PictureProcess.isServing {
      MissingLibrary.requirePictures()
      exit(PictureProcess.serve())
    }
    if PageProcess.isServing { exit(PageProcess.serve()) }
    // No core dump, no debugger of the same user, no secrets in the swap space; a measure that the system refuses is
    // left out. Before there are other threads and secrets.
    cie_keep_memory_private()
    SecretMemory.begin()
    Stream.occupyClosedDescriptors()
    // libcurl would create the named file; a reader of a login's keys can read the person's data.
    unsetenv("SSLKEYLOGFILE")
    let interruption = Interruption()
    // Of Swift's own list the bytes outside of UTF-8 are repaired, and a path then names no file, or another one.
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let arguments = words.dropFirst().compactMap { String(system: $0) }
    let language = Language(arguments: arguments) { name in
      Environment.value(of: name)
    }
    var context = RunContext(language, interruption)
    let options = arguments.prefix { $0 != "--" }
    context.isJSON = options.contains("--json")
    let status = run(arguments, context)
    fflush(nil)
    // Not exit(): a call to the service that was left behind may come back while libraries are being taken apart.
    _exit(status.rawValue)
  }

  private static func run(_ arguments: [String], _ context: RunContext) -> ExitStatus {
    func present(_ outcome: CommandOutcome) -> ExitStatus {
      context.interruption.beginEnd()
      return Presenter(command: nil, isJSON: context.isJSON, context: context).present(outcome)
    }
    let language = context.language
    switch arguments.first {
    case "---completion":
      let completion = ShellCompletion(root: CieRead.self, language: language)
      return show(completion.lines(after: arguments.dropFirst()), context)
    case "---commands":
      return show([CommandTree(language: language).json(of: CieRead.self).text], context)
    case "---descriptions":
      return show([FunctionDescriptions.json.text], context)
    default: break
    }
    do throws(ParsingError) {
      switch try Parser.parse(arguments, of: CieRead.self, text: \.systemText) {
      case .help(let path): return show(HelpPage(path, language).lines, context)
      case .version: return present(.version)
      case .command(let command as any CardCommand):
        let name = type(of: command).name
        let slots = command.slots
        var context = context
        context.mayOverwrite = slots.give("force")
        context.isQuiet = slots.give("quiet")
        context.usesPinentry =
          slots.give("pinentry") || Pinentry.isOnlyWay { name in Environment.value(of: name) }
        let presenter = Presenter(command: name, isJSON: context.isJSON, context: context)
        endEarly(presenter)
        let outcome = CommandOutcome { () throws(Failure) in try command.perform(in: context) }
          .heeding(context.present)
        context.interruption.beginEnd()
        let status = presenter.present(outcome)
        if slots.give("stay") { QuestionTerminal(context)?.waitForEnter() }
        return status
      // A family of commands alone is an error.
      case .command: return ExitStatus(.usage)
      }
    } catch {
      // The bare name shows what the program is.
      if case .missingCommand(let given) = error.reason, error.path.count == 1, !context.isJSON,
        given.allSatisfy(["language", "quiet", "force"].contains)
      {
        return show(HelpPage(error.path, language).lines, context)
      }
      return present(CommandOutcome(failure: .usage(error)))
    }
  }

  /// Shows lines that are the same with `--json`.
  private static func show(_ lines: [String], _ context: RunContext) -> ExitStatus {
    Presenter(command: nil, isJSON: false, context: context).present(CommandOutcome(lines: lines))
  }

  private static func endEarly(_ presenter: Presenter) {
    let context = presenter.context
    context.interruption.whenOverdue {
      context.progress.clear()
      // A command that sets a PIN may be in progress: then it is unknown which PIN is valid.
      let doubt = context.interruption.pinInFlight.map {
        Failure.card(CardError($0, .outcomeUnknown(because: .channel(.cancelled))))
      }
      let end = context.interruption.passedDeadline.map(Failure.deadline) ?? .interrupted
      _exit(presenter.present(CommandOutcome(failure: doubt ?? end)).rawValue)
    }
    MissingLibrary.handle { failure in
      context.progress.clear()
      _exit(presenter.present(CommandOutcome(failure: failure)).rawValue)
    }
  }
}

extension CommandOutcome {
  fileprivate static let version = CommandOutcome(
    lines: ["cie-read " + CieRead.version], members: [.init("version", CieRead.version)])
}
