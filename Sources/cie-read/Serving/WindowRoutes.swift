import CIECard
import CardWork
import LocalService
import Primitives

/// The paths of the program's own windows.
extension ServiceRoutes {
  /// The question for a PIN in a page: the request waits for its answer.
  var askPIN: (@Sendable (RunContext) throws(Failure) -> Secret)? {
    guard entry == .page else { return nil }
    return { [code, events] (context) throws(Failure) in
      try code.ask(in: context) { events.tell(.pin, PageCode.members($0)) }
    }
  }

  /// The answer to a ticket: the token.
  func token(for exchange: Exchange) throws(Refusal) -> CommandOutcome {
    let token = try mapError(
      try tokens?.redeem(RequestObject(exchange.body, of: ["ticket"]).string("ticket") ?? "")
    ) { Refusal(403, $0, of: "serve session") }
    return CommandOutcome(members: [.init("token", token)])
  }

  /// Takes the card in one of several readers, as the person of a window chose.
  func choose(_ exchange: Exchange) throws(Refusal) {
    try refusing(.status) { () throws(Failure) in
      let name = try RequestObject(exchange.body, of: ["reader"]).string("reader")
      if let name, try !events.readers().map(\.name).contains(name) {
        throw Request.unfit("reader")
      }
      card.choose(reader: name)
    }
  }

  /// Takes the PIN for which a request has asked its page.
  func give(_ exchange: Exchange) throws(Refusal) {
    try refusing(.openBrowser) { () throws(Failure) in
      let pin = try RequestObject(exchange.body, of: ["pin"]).code(by: .page)
      guard code.give(pin) else { throw Request.unfit("pin") }
    }
  }

  /// Opens the files of a second start, which comes by the Unix socket only: a page names no paths.
  func open(_ exchange: Exchange) throws(Refusal) {
    let (paths, isToCheck) = try refusing(.files) { () throws(Failure) in
      let object = try RequestObject(exchange.body, of: ["paths", "check"])
      let paths = try object.texts("paths") ?? []
      return (paths.map { String(escapedSystem: $0) }, try object.flag("check") ?? false)
    }
    for path in paths { uploads.open(path, toCheck: isToCheck) }
    if !paths.isEmpty { events.tell(.files) }
    showWindow()
  }
}
