import CardWork
import LocalService
import Messages
import Primitives

extension Failure {
  /// The HTTP status that goes with its exit status (RFC 9110 §15).
  var httpStatus: Int { Diagnosis(self).kind.consequences.http }
}

extension ServiceRoutes {
  func status() -> CommandOutcome {
    var outcome = CommandOutcome()
    do throws(Failure) {
      let rows = try events.readers().enumerated()
        .map { ListedReader(number: $0.offset, reader: $0.element) }
      outcome.members = [.init("readers", rows.json(context.language))]
    } catch { outcome.failure = error }
    outcome.members += [
      .init("busy", card.isBusy),
      .init("functions", ServedFunction.all.filter(functions.contains).map(\.name)),
      .init("pinEntry", entry.rawValue), .init("version", version),
    ]
    return outcome
  }

  /// The language of an answer: the query's, else the browser's (RFC 9110 §12.5.4), else that of the service. A window
  /// opens in that of the program, because the person chose it for the whole desktop.
  func language(of head: RequestHead) -> Language {
    if let wish = head.queryLanguage.flatMap(Language.init(rawValue:)) { return wish }
    if tokens != nil, head.path == "/page.json" { return context.language }
    let wishes = (head["accept-language"] ?? "").split(separator: ",").prefix(16)
      .map { entry in
        let parts = entry.split(separator: ";")
        let quality = parts.dropFirst().first { $0.includes("q=") }
          .flatMap { Double($0.drop { $0 != "=" }.dropFirst()) }
        let code = parts.first.map { $0.drop { $0 == " " }.prefix { $0.isLetter } } ?? ""
        return (code: code.lowercased(), quality: quality ?? 1)
      }
    // Browsers list them in order; a stable sort keeps the first of equals.
    let best = wishes.filter { $0.quality > 0 && Language(rawValue: $0.code) != nil }
      .reduce(nil as (code: String, quality: Double)?) { best, wish in
        best.map { $0.quality >= wish.quality } ?? false ? best : wish
      }
    return best.flatMap { Language(rawValue: $0.code) } ?? context.language
  }

  /// The headers that let a page of a listed origin read the answer (Fetch, §3.2).
  func crossOrigin(_ head: RequestHead) -> [(name: String, value: String)] {
    guard let origin = head["origin"], origins.contains(origin) else { return [] }
    return [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
  }

  /// The headers of the preflight answer: the requests that such a page may send.
  var preflight: [(name: String, value: String)] {
    [
      ("Access-Control-Allow-Methods", "GET, POST"),
      ("Access-Control-Allow-Headers", "authorization, content-type, accept-language"),
      ("Access-Control-Allow-Private-Network", "true"), ("Access-Control-Max-Age", "600"),
    ]
  }

  /// An answer that such a page may read.
  func cross(_ answer: Answer, _ head: RequestHead) -> Answer {
    var answer = answer
    answer.headers += crossOrigin(head)
    return answer
  }
}
