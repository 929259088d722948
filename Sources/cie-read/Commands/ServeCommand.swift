import Arguments
import CIECard
import CardWork
import Glibc
import Primitives
import RedirectFlow

/// `cie-read serve`: the commands over HTTP, for a page or program of this machine.
struct ServeCommand: CardCommand {
  static let configuration = CommandConfiguration("serve", "command.serve")

  @Option(
    help: .text("option.serve.allow", value: "functions"),
    completion: .words(ServedFunction.allCases.map(\.rawValue)))
  var allow: String?
  @Option(help: .text("option.serve.socket", value: "file"), completion: .file())
  var socket: String?
  @Option(help: .text("option.serve.http", value: "port")) var http: Int?
  @Option(help: .text("option.serve.token-file", value: "file"), completion: .file())
  var tokenFile: String?
  @Option(help: .text("option.serve.origin", value: "origin")) var origin: [String] = []
  @Flag(help: .text("option.serve.page")) var page = false
  @Option(help: .text("option.serve.pin-entry", value: "place")) var pinEntry: PINEntry?
  @Option(help: .text("option.serve.deadline", value: "seconds")) var deadline = 180
  @Option(help: .text("option.environment", value: "name|file"), completion: .environments)
  var environment: String?
  @Flag(help: .text("option.serve.openapi")) var openapi = false
  @OptionGroup var holder: HolderTerms
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    if openapi {
      guard !output.json else { throw .usage(.outputTwice) }
      var outcome = CommandOutcome()
      outcome.bytes = ServicePage.description
      return outcome
    }
    guard let allow else { throw .usage(.nothingAllowed) }
    let functions = try ServedFunction.functions(in: allow)
    guard (1...86_400).contains(deadline) else { throw .usage(.badDeadline) }
    let entry = pinEntry ?? (session.usesPinentry ? .pinentry : .terminal)
    let wishes = try wishes()
    let conversation = try source.conversation()
    let (board, card) = try board(conversation, session)
    let routes = ServiceRoutes(
      functions: functions, preparations: try preparations(entry, in: session), entry: entry,
      desk: CardDesk(conversation, deadline: deadline, entry: entry, session), board: board,
      page: page ? ServicePage(functions: functions, entry: entry) : nil, origins: wishes.origins,
      version: CieRead.version, session: session)
    func variable(_ name: String) -> String? { Environment.value(of: name) }
    // Last, because a client that connects from here on is answered.
    let service = CardService(
      sockets: try ServiceSockets(wishes, environment: variable), routes: routes,
      manager: ServiceManager(environment: variable), session: session)
    return try service.run(card)
  }

  private func wishes() throws(Failure) -> ServiceSockets.Wishes {
    var wishes = ServiceSockets.Wishes(path: socket, tokenFile: tokenFile, servesPage: page)
    if let http {
      guard let port = UInt16(exactly: http), port > 0 else { throw .usage(.badPort) }
      wishes.port = port
    }
    for text in origin {
      // As a browser writes it, character for character, because any other text would never match.
      guard let url = try? RedirectURL(text), url.origin.description == text else {
        throw .usage(.badOrigin)
      }
      wishes.origins.insert(text)
    }
    return wishes
  }

  /// The board, and the readers that it watches.
  private func board(
    _ conversation: Conversation, _ session: RunContext
  ) throws(Failure) -> (ReaderBoard, PCSCContext.ReaderSelection?) {
    let board = ReaderBoard(session)
    switch conversation.source {
    case .reader(let selection, _): return (board, selection)
    case .substitute(let card):
      // One request uses a recording up.
      guard !card.isRecording else { throw .usage(.unfitForServe("--replay")) }
      board.show(
        PCSCContext.Reader(
          name: card.place, answerToReset: card.answerToReset, isAvailable: true, eventCount: 0))
      return (board, nil)
    }
  }
}

extension PINEntry: ArgumentValue {}
