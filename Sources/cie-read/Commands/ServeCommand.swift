import Arguments
import CIECard
import CWipingHeap
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow

/// `cie-read serve`: the commands over HTTP, for a page or program of this machine.
struct ServeCommand: CommandWork {
  static let configuration = CommandConfiguration("serve", "command.serve")

  private let allow: String?
  private let socket: String?
  private let http: Int?
  private let tokenFile: String?
  private let origin: [String]
  private let page: Bool
  private let pinEntry: PINEntry?
  private let deadline: Int
  private let environment: String?
  private let openapi: Bool
  private let holder: HolderTerms
  private let source: SourceOptions
  private let output: OutputOptions

  init(from inputs: inout Inputs) throws(Failure) {
    allow = try inputs.text(
      "allow", help: "option.serve.allow", value: "functions",
      completion: .words(ServedFunction.all.map(\.name)))
    socket = try inputs.text(
      "socket", help: "option.serve.socket", value: "file", completion: .file())
    http = try inputs.option("http", help: "option.serve.http", value: "port")
    tokenFile = try inputs.text(
      "token-file", help: "option.serve.token-file", value: "file", completion: .file())
    origin = try inputs.texts("origin", help: "option.serve.origin", value: "origin")
    page = try inputs.flag("page", help: "option.serve.page")
    pinEntry = try inputs.option("pin-entry", help: "option.serve.pin-entry", value: "place")
    deadline = try inputs.option(
      "deadline", default: 180, help: "option.serve.deadline", value: "seconds")
    environment = try LoginEnvironment.name(from: &inputs)
    openapi = try inputs.flag("openapi", help: "option.serve.openapi")
    holder = try inputs.part()
    source = try inputs.part()
    output = try .ofEvents(from: &inputs)
  }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    if openapi {
      guard !output.json else { throw .usage("output-twice") }
      var outcome = CommandOutcome()
      outcome.form.bytes = ServicePage.description
      return outcome
    }
    // A request's codes pass through libraries that free them as they are.
    cie_wipe_freed_memory()
    guard let allow else { throw .usage("nothing-allowed") }
    let functions = try ServedFunction.functions(in: allow)
    guard (1...86_400).contains(deadline) else { throw .usage("bad-deadline") }
    let entry = pinEntry ?? (context.usesPinentry ? .pinentry : .terminal)
    let wishes = try wishes()
    var routes = try ServiceRoutes(
      functions, entry, deadline: deadline, holder, source, environment, speaker: "serve",
      in: context)
    routes.page =
      page ? ServicePage(functions: functions, entry: entry, isTest: routes.card.isTest) : nil
    routes.origins = wishes.origins
    func variable(_ name: String) -> String? { Environment.value(of: name) }
    // Last, because a client that connects from here on is answered.
    let sockets = try ServiceSockets(wishes, environment: variable)
    if !context.isQuiet {
      let names = ServedFunction.all.filter(functions.contains).map(\.name)
      let start = Message(
        "serve.started",
        [
          "places": sockets.places.joined(separator: ", "),
          "names": names.joined(separator: ", "),
        ])
      Stream.error.write(lines: [start(context.language)])
    }
    return try CardService(
      sockets: sockets, routes: routes, manager: ServiceManager(environment: variable),
      context: context
    ).run(routes.events.selection)
  }

  private func wishes() throws(Failure) -> ServiceSockets.Wishes {
    var wishes = ServiceSockets.Wishes(path: socket, tokenFile: tokenFile, servesPage: page)
    if let http {
      guard let port = UInt16(exactly: http), port > 0 else { throw .usage("bad-port") }
      wishes.port = port
    }
    for text in origin {
      // As a browser writes it, character for character, because any other text would never match.
      guard let url = try? RedirectURL(text), url.origin.description == text else {
        throw .usage("bad-origin")
      }
      wishes.origins.insert(text)
    }
    return wishes
  }
}

extension ServiceRoutes {
  /// The routes to the card of a command line.
  init(
    _ functions: Set<ServedFunction>, _ entry: PINEntry, deadline: Int, _ holder: HolderTerms,
    _ source: SourceOptions, _ environment: String?, speaker: String, in context: RunContext
  ) throws(Failure) {
    var conversation = try source.conversation()
    conversation.release = .otherProgram
    let uploads = UploadStore()
    let work = ServiceTerms(
      entry: entry, trust: try holder.trust.store(for: conversation, in: context),
      access: try holder.access(in: context),
      environment: try LoginSettings.environment(environment), uploads: uploads, speaker: speaker)
    self.init(
      functions: functions, prepare: work.prepare, entry: entry,
      card: ServedCard(conversation, deadline: deadline, entry: entry, context),
      events: try ReaderEvents(of: conversation, context), uploads: uploads,
      speaker: speaker, version: CieRead.version, context: context)
  }
}

extension PINEntry: ArgumentValue {}
