import CIECard
import CardWork
import LocalService
import Messages
import Primitives

/// The answer of each path.
///
/// Every JSON answer is the object that the command line prints; the HTTP status follows from its `exit`.
struct ServiceRoutes: Sendable {
  /// Turns a request's object into the work for the card, without a command to the card.
  typealias Preparation =
    @Sendable (inout RequestObject) throws(Failure) -> CardDesk.Work

  /// The functions that the operator allows.
  let functions: Set<ServedFunction>
  let preparations: [ServedFunction: Preparation]
  let entry: PINEntry
  let desk: CardDesk
  let board: ReaderBoard
  /// The page, if it is served.
  let page: ServicePage?
  /// The origins whose pages may read answers.
  let origins: Set<String>
  /// The version of the program, for clients that ask.
  let version: String
  let session: RunContext

  /// Checks whether a request needs no token: the page's own files, and a browser's preflight.
  func isPublic(_ head: RequestHead) -> Bool {
    head.method == "OPTIONS" || page?.file(at: head.path) != nil
  }

  /// Answers a request, at once or when the card's work is done.
  func answer(_ exchange: Exchange, from server: LocalServer) {
    let head = exchange.head
    let language = self.language(of: head)
    if head.method == "OPTIONS" {
      var answer = Answer(204, type: "")
      answer.headers = crossOrigin(head) + preflight
      return exchange.answer(answer)
    }
    if let file = page?.file(at: head.path) {
      guard ["GET", "HEAD"].contains(head.method) else {
        return finish(
          exchange, CommandOutcome(failure: .usage(.wrongMethod)), 405, of: nil, language)
      }
      return exchange.answer(page?.answer(file, in: language) ?? Answer(404))
    }
    do throws(Refusal) { try route(exchange, language, server) } catch {
      finish(
        exchange, CommandOutcome(failure: error.failure), error.status, of: error.command, language)
    }
  }

  /// The reason why a request is not begun.
  private struct Refusal: Error {
    let status: Int
    let failure: Failure
    let command: String?

    init(_ status: Int, _ failure: Failure, of command: String? = nil) {
      self.status = status
      self.failure = failure
      self.command = command
    }
  }

  private func route(
    _ exchange: Exchange, _ language: Language, _ server: LocalServer
  ) throws(Refusal) {
    let words = exchange.head.path.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 3, words[0].isEmpty, words[1] == "v1" else {
      throw Refusal(404, .usage(.unknownPath))
    }
    switch words[2] {
    case "status":
      try require("GET", exchange, of: .status)
      finish(exchange, status(), nil, of: "serve status", language)
    case "events":
      try require("GET", exchange, of: .status)
      guard server.mayListen else { throw Refusal(503, .usage(.tooManyListeners)) }
      board.add(exchange.openStream(headers: crossOrigin(exchange.head)))
    case "openapi.json":
      try require("GET", exchange, of: nil)
      exchange.answer(cross(Answer(200, ServicePage.description), exchange.head))
    case "cancel":
      try require("POST", exchange, of: nil)
      do throws(Failure) { try RequestObject(exchange.body).finish() } catch {
        throw Refusal(400, error, of: "serve cancel")
      }
      let outcome = CommandOutcome(members: [.init("cancelled", desk.cancel())])
      finish(exchange, outcome, nil, of: "serve cancel", language)
    case let name:
      guard let function = ServedFunction(rawValue: String(name)) else {
        throw Refusal(404, .usage(.unknownPath))
      }
      try require("POST", exchange, of: function)
      try begin(function, exchange, language)
    }
  }

  /// - Parameter function: the function that the operator must have allowed.
  private func require(
    _ method: String, _ exchange: Exchange, of function: ServedFunction?
  ) throws(Refusal) {
    if let function, !functions.contains(function) {
      throw Refusal(403, .usage(.functionNotAllowed), of: function.command)
    }
    guard exchange.head.method == method else {
      throw Refusal(405, .usage(.wrongMethod), of: function?.command)
    }
    guard method == "POST" else { return }
    let type = exchange.head["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == "application/json" else {
      throw Refusal(415, .usage(.wrongMediaType), of: function?.command)
    }
  }

  private func begin(
    _ function: ServedFunction, _ exchange: Exchange, _ language: Language
  ) throws(Refusal) {
    guard let prepare = preparations[function] else { throw Refusal(404, .usage(.unknownPath)) }
    let work: CardDesk.Work
    do throws(Failure) {
      var object = try RequestObject(exchange.body)
      work = try prepare(&object)
      try object.finish()
    } catch { throw Refusal(ServiceStatus.of(error), error, of: function.command) }
    do throws(Failure) {
      let ticket = try desk.begin(
        work, in: language, telling: { [board] in board.tell($0, at: $1) }
      ) {
        outcome, session in
        finish(exchange, outcome, nil, of: function.command, language, session)
      }
      exchange.whenGone { [desk] in desk.cancel(ticket) }
    } catch {
      throw Refusal(409, error, of: function.command)
    }
  }

  /// The answer to `GET /v1/status`.
  private func status() -> CommandOutcome {
    var outcome = CommandOutcome()
    do throws(Failure) {
      let rows = try board.readers().enumerated().map { $0.element.json(number: $0.offset) }
      outcome.members = [.init("readers", .array(rows))]
    } catch { outcome.failure = error }
    outcome.members += [
      .init("busy", desk.isBusy),
      .init(
        "functions",
        .array(
          ServedFunction.allCases.filter(functions.contains).map {
            .string($0.rawValue)
          })),
      .init("pinEntry", entry.rawValue), .init("version", version),
    ]
    return outcome
  }

  /// Answers with the object of a command's end.
  ///
  /// - Parameter status: if the end alone does not define it.
  private func finish(
    _ exchange: Exchange, _ outcome: CommandOutcome, _ status: Int?,
    of command: String?, _ language: Language, _ session: RunContext? = nil
  ) {
    let presenter = Presenter(
      command: command, isJSON: true,
      session: session ?? RunContext(language, self.session.interruption))
    let diagnosis = outcome.failure.map { Diagnosis($0) }
    let text = presenter.object(outcome.members, diagnosis).text + "\n"
    let answer = Answer(
      status ?? outcome.failure.map(ServiceStatus.of) ?? 200, [UInt8](text.utf8))
    exchange.answer(cross(answer, exchange.head))
  }
}
