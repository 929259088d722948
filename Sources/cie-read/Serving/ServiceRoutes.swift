import CIECard
import CardWork
import Dispatch
import Glibc
import LocalService
import Messages
import Primitives

/// The answer of each path.
///
/// Every JSON answer is the object that the command line prints; the HTTP status follows from its `exit`.
struct ServiceRoutes: Sendable {
  /// Turns a request's object into the work for the card, without a command to the card.
  typealias Preparation =
    @Sendable (ServedFunction, RequestObject) throws(Failure) -> ServedCard.Work

  let functions: Set<ServedFunction>
  var prepare: Preparation
  let entry: PINEntry
  let card: ServedCard
  let events: ReaderEvents
  let uploads: UploadStore
  let code = PageCode()
  /// The tickets of the program's own windows; nil for a service, whose clients have the token.
  var tokens: OneTimeTokens?
  /// Shows the window again, at a second start of the program.
  var showWindow: @Sendable () -> Void = {}
  /// The page, if it is served.
  var page: ServicePage?
  /// The origins whose pages may read answers.
  var origins: Set<String> = []
  /// The program whose words its answers have.
  let speaker: String
  /// The version of the program, for clients that ask.
  let version: String
  let context: RunContext

  /// Checks whether a request needs no token: the page's own files, and a browser's preflight.
  func isPublic(_ head: RequestHead) -> Bool {
    head.method == "OPTIONS" || page?.file(at: head.path) != nil
      || tokens != nil && head.path == "/v1/session"
  }

  /// True if the body is long: a piece of a file, or evidence.
  func isPiece(_ head: RequestHead) -> Bool {
    functions.contains(.files) && head.path.hasPrefix("/v1/files/")
      || head.path == "/v1/evidence"
  }

  /// Answers a request, at once or when the card's work is done.
  ///
  /// - Parameter isLocal: true at a Unix socket, whose clients are programs of this user.
  func answer(_ exchange: Exchange, from server: LocalServer, isLocal: Bool) {
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
          exchange, CommandOutcome(failure: .wrongMethod), 405, of: nil, language)
      }
      return exchange.answer(page?.answer(file, in: language) ?? Answer(404))
    }
    do throws(Refusal) { try route(exchange, language, server, isLocal) } catch {
      finish(
        exchange, CommandOutcome(failure: error.failure), error.status, of: error.command, language)
    }
  }

  /// The reason why a request is not begun.
  struct Refusal: Error {
    let status: Int
    let failure: Failure
    let command: String?

    init(_ status: Int, _ failure: Failure, of command: String? = nil) {
      self.status = status
      self.failure = failure
      self.command = command
    }

    init(_ failure: Failure, of function: ServedFunction?) {
      self.init(failure.httpStatus, failure, of: function?.command)
    }
  }

  private func route(
    _ exchange: Exchange, _ language: Language, _ server: LocalServer, _ isLocal: Bool
  ) throws(Refusal) {
    let words = exchange.head.path.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count >= 3, words[0].isEmpty, words[1] == "v1" else {
      throw Refusal(404, .unknownPath)
    }
    if words[2] == "files" { return try answerFiles(words.dropFirst(3), exchange, language) }
    guard words.count == 3 else { throw Refusal(404, .unknownPath) }
    switch words[2] {
    case "status":
      try require("GET", exchange, of: .status)
      finish(exchange, status(), nil, of: "serve status", language)
    case "events":
      try require("GET", exchange, of: .status)
      guard server.mayListen else {
        throw Refusal(503, .found(Diagnosis(.internalFailure, "too-many-listeners")))
      }
      events.add(exchange.openStream(headers: crossOrigin(exchange.head)), language)
    case "openapi.json":
      try require("GET", exchange, of: nil)
      exchange.answer(cross(Answer(200, ServicePage.description), exchange.head))
    case "cancel":
      try require("POST", exchange, of: nil)
      _ = try mapError(try RequestObject(exchange.body, of: [])) { (error: Failure) in
        Refusal(400, error, of: "serve cancel")
      }
      let outcome = CommandOutcome(members: [.init("cancelled", card.cancel())])
      finish(exchange, outcome, nil, of: "serve cancel", language)
    case "reader" where tokens != nil:
      try require("POST", exchange, of: nil)
      try choose(exchange)
      finish(exchange, status(), nil, of: "serve status", language)
    case "pin" where entry == .page:
      try require("POST", exchange, of: .openBrowser)
      try give(exchange)
      finish(exchange, status(), nil, of: "serve status", language)
    case "session" where tokens != nil:
      try require("POST", exchange, of: nil)
      try finish(exchange, token(for: exchange), nil, of: "serve session", language)
    case "open" where tokens != nil && isLocal:
      try require("POST", exchange, of: .files)
      try open(exchange)
      finish(exchange, CommandOutcome(), nil, of: ServedFunction.files.command, language)
    case let name:
      guard let function = ServedFunction.named(name) else {
        throw Refusal(404, .unknownPath)
      }
      try require("POST", exchange, of: function)
      try begin(function, exchange, language)
    }
  }

  /// - Parameter function: the function that the operator must have allowed.
  func require(
    _ method: String, _ exchange: Exchange, of function: ServedFunction?,
    as kind: String = "application/json"
  ) throws(Refusal) {
    if let function, !functions.contains(function) {
      throw Refusal(403, .found(Diagnosis(.usage, "function-not-allowed")), of: function.command)
    }
    guard exchange.head.method == method else {
      throw Refusal(405, .wrongMethod, of: function?.command)
    }
    guard method == "POST", exchange.body.received > 0 else { return }
    let type = exchange.head["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == kind else {
      throw Refusal(415, .found(Diagnosis(.usage, "wrong-media-type")), of: function?.command)
    }
  }

  private func begin(
    _ function: ServedFunction, _ exchange: Exchange, _ language: Language
  ) throws(Refusal) {
    let work = try refusing(function) { () throws(Failure) in
      // In a window the person may decide about the last try; in a service, its operator.
      let decision = tokens != nil && function.takesCode ? [HolderTerms.decision] : []
      let object = try RequestObject(exchange.body, of: function.members + decision)
      if let origin = exchange.head["origin"], function.hasChipAnswer {
        try object.requireAudience(of: origin)
      }
      return try prepare(function, object)
    }
    do throws(Failure) {
      let ticket = try card.begin(
        work, in: language, askingBy: askPIN, telling: { [events] in events.tell($0, at: $1) }
      ) {
        outcome, context in
        let command = outcome.form.command ?? function.command
        finish(exchange, outcome, nil, of: command, language, context)
      }
      exchange.whenGone { [card] in card.cancel(ticket) }
    } catch {
      throw Refusal(409, error, of: function.command)
    }
  }

  /// Answers with the object of a command's end.
  ///
  /// - Parameter status: if the end alone does not define it.
  func finish(
    _ exchange: Exchange, _ outcome: CommandOutcome, _ status: Int?,
    of command: String?, _ language: Language, _ context: RunContext? = nil
  ) {
    let presenter = Presenter(
      command: command, isJSON: true,
      context: context ?? self.context.ofAnotherRun(language),
      speaker: speaker)
    let diagnosis = outcome.failure.map { Diagnosis($0) }
    let text = presenter.object(outcome.members, diagnosis).text + "\n"
    let answer = Answer(
      status ?? outcome.failure?.httpStatus ?? 200, [UInt8](text.utf8))
    exchange.answer(cross(answer, exchange.head))
  }
}

/// The paths of files.
extension ServiceRoutes {
  /// Answers a request below `/v1/files`.
  func answerFiles(
    _ words: ArraySlice<Substring>, _ exchange: Exchange, _ language: Language
  ) throws(Refusal) {
    let isGet = exchange.head.method == "GET"
    let id = words.first.map(String.init)
    switch (id, words.dropFirst().first) {
    case (nil, nil) where isGet:
      try require("GET", exchange, of: .files)
      // Reads the files, which may be long.
      uploads.queue.async {
        finish(exchange, CommandOutcome(members: uploads.list(language)), language)
      }
    case (nil, nil):
      try require("POST", exchange, of: .files)
      let new = try refusing(.files) { () throws(Failure) in
        let object = try RequestObject(exchange.body, of: ["name", "size"])
        return try uploads.begin(object.string("name") ?? "", size: object.number("size") ?? -1)
      }
      finish(exchange, CommandOutcome(members: [.init("file", new)]), language)
    case (let id?, nil) where isGet:
      try require("GET", exchange, of: .files)
      let file = try refusing(.files) { () throws(Failure) in try uploads[id] }
      guard let sent = SentFile(file.place) else {
        throw Refusal(.file(.unreadable(path: file.name, errno: errno)), of: .files)
      }
      var answer = Answer(200, type: "application/octet-stream")
      answer.file = sent
      answer.headers = [("Content-Disposition", "attachment")]
      exchange.answer(cross(answer, exchange.head))
    case (let id?, nil):
      try require("POST", exchange, of: .files, as: "application/octet-stream")
      let bytes = exchange.body.withBytes { [UInt8]($0) }
      let count = try refusing(.files) { () throws(Failure) in try uploads.append(bytes, to: id) }
      finish(exchange, CommandOutcome(members: [.init("received", count)]), language)
    case (let id?, "pages") where words.count == 3:
      try require("GET", exchange, of: .files)
      // Draws the page, which may take seconds, unless the person wants to see another one by then.
      uploads.pages.async { [page = String(words.last ?? ""), turn = uploads.nextPage()] in
        finish(exchange, uploads.outcome(ofPage: page, of: id, inTurn: turn, language), language)
      }
    case (let id?, "save") where words.count == 2 && tokens != nil:
      try require("POST", exchange, of: .files)
      try refusing(.files) { () throws(Failure) in _ = try RequestObject(exchange.body, of: []) }
      uploads.queue.async { finish(exchange, uploads.outcome(ofSaving: id), language) }
    case (let id?, "password") where words.count == 2:
      try require("POST", exchange, of: .files)
      try refusing(.files) { () throws(Failure) in
        let object = try RequestObject(exchange.body, of: ["password"])
        try uploads.unlock(id, with: object.string("password") ?? "")
      }
      finish(exchange, CommandOutcome(members: [.init("file", id)]), language)
    case (let id?, "forget") where words.count == 2:
      try require("POST", exchange, of: .files)
      try refusing(.files) { () throws(Failure) in
        _ = try RequestObject(exchange.body, of: [])
        try uploads.forget(id)
      }
      finish(exchange, CommandOutcome(members: [.init("file", id)]), language)
    default: throw Refusal(404, .unknownPath)
    }
  }

  private func finish(_ exchange: Exchange, _ outcome: CommandOutcome, _ language: Language) {
    finish(exchange, outcome, nil, of: ServedFunction.files.command, language)
  }

  /// Does a part of a request, whose failure is its refusal.
  func refusing<Result>(
    _ function: ServedFunction, _ body: () throws(Failure) -> Result
  ) throws(Refusal) -> Result {
    try mapError(try body()) { Refusal($0, of: function) }
  }
}
