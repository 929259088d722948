import CIECard
import CardWork
import Dispatch
import Glibc
import LocalService
import Messages
import Primitives

/// The paths of files, and those of the program's own windows.
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
      shelf.queue.async {
        finish(exchange, CommandOutcome(members: shelf.list(language)), language)
      }
    case (nil, nil):
      try require("POST", exchange, of: .files)
      let new = try files { () throws(Failure) in
        let object = try RequestObject(exchange.body, of: ["name", "size"])
        return try shelf.begin(object.string("name") ?? "", size: object.number("size") ?? -1)
      }
      finish(exchange, CommandOutcome(members: [.init("file", new)]), language)
    case (let id?, nil) where isGet:
      try require("GET", exchange, of: .files)
      let file = try files { () throws(Failure) in try shelf[id] }
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
      let count = try files { () throws(Failure) in try shelf.append(bytes, to: id) }
      finish(exchange, CommandOutcome(members: [.init("received", count)]), language)
    case (let id?, "password") where words.count == 2:
      try require("POST", exchange, of: .files)
      try files { () throws(Failure) in
        let object = try RequestObject(exchange.body, of: ["password"])
        try shelf.unlock(id, with: object.string("password") ?? "")
      }
      finish(exchange, CommandOutcome(members: [.init("file", id)]), language)
    case (let id?, "forget") where words.count == 2:
      try require("POST", exchange, of: .files)
      try files { () throws(Failure) in
        _ = try RequestObject(exchange.body, of: [])
        try shelf.forget(id)
      }
      finish(exchange, CommandOutcome(members: [.init("file", id)]), language)
    default: throw Refusal(404, .unknownPath)
    }
  }

  private func finish(_ exchange: Exchange, _ outcome: CommandOutcome, _ language: Language) {
    finish(exchange, outcome, nil, of: ServedFunction.files.command, language)
  }

  private func files<Result>(_ body: () throws(Failure) -> Result) throws(Refusal) -> Result {
    do throws(Failure) { return try body() } catch { throw Refusal(error, of: .files) }
  }

  /// The answer to a ticket: the token.
  func token(for exchange: Exchange) throws(Refusal) -> CommandOutcome {
    do throws(Failure) {
      let ticket = try RequestObject(exchange.body, of: ["ticket"]).string("ticket") ?? ""
      return CommandOutcome(members: [.init("token", try tickets?.redeem(ticket))])
    } catch { throw Refusal(403, error, of: "serve session") }
  }

  /// Opens the files of a second start, which comes by the Unix socket only: a page names no paths.
  func open(_ exchange: Exchange) throws(Refusal) {
    let (paths, isToCheck) = try files { () throws(Failure) in
      let object = try RequestObject(exchange.body, of: ["paths", "check"])
      return (try object.texts("paths") ?? [], try object.flag("check"))
    }
    for path in paths { shelf.open(path, toCheck: isToCheck) }
    if !paths.isEmpty { board.tell(.files) }
    showWindow()
  }
}
