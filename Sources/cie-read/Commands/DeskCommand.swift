import Arguments
import CIECard
import CWipingHeap
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow

/// `cie-read desk`: the page of `serve` in a window, for a person.
struct DeskCommand: CommandWork {
  static let configuration = CommandConfiguration("desk", "command.desk")

  private let files: [String]
  private let check: Bool
  private let browser: BrowserOption
  private let address: Bool
  private let pinEntry: PINEntry?
  private let environment: String?
  private let holder: HolderTerms
  private let source: SourceOptions
  private let output: OutputOptions

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.desk.files", value: "file", completion: .file())
    check = try inputs.flag("check", help: "option.desk.check")
    browser = try inputs.option(
      "browser", default: .any, help: "option.desk.browser", value: "browser")
    address = try inputs.flag("address", help: "option.desk.address")
    pinEntry = try inputs.option("pin-entry", help: "option.serve.pin-entry", value: "place")
    environment = try LoginEnvironment.name(from: &inputs)
    holder = try inputs.part()
    source = try inputs.part()
    output = try inputs.part()
  }

  /// The time limit of a request: a person logs in meanwhile, in another window.
  private static let deadline = 600

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    do throws(Failure) { return try serve(in: context) } catch {
      if !address, !output.json, !context.interruption.isOver {
        Self.show(error, context.language)
      }
      throw error
    }
  }

  /// Shows an error in a window, because a start from the desktop has no terminal.
  private static func show(_ error: Failure, _ language: Language) {
    guard DesktopProgram.hasDisplay, !Stream.error.isTerminal else { return }
    let diagnosis = Diagnosis(error)
    let parts = [diagnosis.what, diagnosis.advice].map {
      $0.asTold(by: "cie-read")(language).printable
    }
    _ = DesktopProgram.dialog?.run(word: parts.joined(separator: "\n\n"))
  }

  private func serve(in context: RunContext) throws(Failure) -> CommandOutcome {
    let paths = try files.map { (path) throws(Failure) in
      guard let real = realPath(path) else {
        throw .file(.unreadable(path: path, errno: errno))
      }
      return real
    }
    let folder = PersonalFolder.runtime.path(Environment.value(of:))
    var path = folder.map { $0 + "/cie-read-desk.sock" }
    switch path.map({ SecondStart.handOver(paths, toCheck: check, to: $0) }) {
    case .handedOver:
      return CommandOutcome(lines: [Message("desk.handed-over")(context.language)])
    case .foreign:
      context.warn(Message("desk.foreign-socket", ["path": path ?? ""]))
      path = nil
    case .alone, nil: break
    }
    // A page's codes pass through libraries that free them as they are.
    cie_wipe_freed_memory()
    let entry = pinEntry ?? (Pinentry.isForDesktop(in: context) ? .pinentry : .page)
    let tokens = try OneTimeTokens()
    var routes = try ServiceRoutes(
      Set(ServedFunction.all), entry, deadline: Self.deadline, holder, source, environment,
      speaker: "desk", in: context)
    routes.tokens = tokens
    routes.page = ServicePage(
      functions: routes.functions, entry: entry, isDesk: true, isTest: routes.card.isTest)
    for path in paths { routes.uploads.open(path, toCheck: check) }
    let sockets = try ServiceSockets(token: tokens.token, path: path)
    let window: DeskWindow
    do throws(Failure) {
      window = try DeskWindow(
        at: sockets.origin ?? "", tokens, address ? nil : browser.kinds, in: context)
    } catch {
      sockets.removeFiles()
      throw error
    }
    routes.showWindow = { window.show() }
    return try CardService(
      sockets: sockets, routes: routes, manager: ServiceManager { _ in nil }, context: context,
      window: window
    ).run(routes.events.selection)
  }
}
