internal import Arguments
internal import CIECard
internal import Glibc
@testable import LocalService
@testable import Messages
internal import Primitives
@testable import CardWork
@testable import cie_read

/// Input of `serve`'s clients: heads, and JSON after them.
extension FuzzTarget {
  static let service = [head, request]

  /// The head of an HTTP request from its text: a line, and a header field a line.
  private static func head(_ text: ArraySlice<UInt8>) -> RequestHead {
    let lines = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    return RequestHead(
      method: words.first.map(String.init) ?? "",
      path: words.dropFirst().first.map(String.init) ?? "",
      queryLanguage: words.dropFirst(2).first.map(String.init),
      headers: lines.dropFirst().map { line in
        let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          name: String(halves[0]),
          value: halves.count > 1 ? halves[1].trimmingPrefix(" ").description : ""
        )
      })
  }

  private static let token = "0123456789abcdef"

  private static let head = FuzzTarget("serve-head") {
    let host = "Host: 127.0.0.1:4321\n"
    return Seeds.lines(
      "POST /v1/nis\n\(host)Authorization: Bearer \(token)\nContent-Length: 2",
      "GET /v1/status it\nHost: localhost:4321\nOrigin: https://a.test\nauthorization: bearer \(token)",
      "GET / de\n\(host)Sec-Fetch-Site: none\nAccept-Language: fr;q=0.5, sl")
  } play: { probe in
    let head = head(probe.bytes[...])
    let rule = AccessRule.loopback(
      .init(
        port: 4321, origins: ["https://a.test"], token: [UInt8](token.utf8), servesPage: true))
    _ = (head.isAmbiguous, head.contentLength)
    guard rule.refusal(of: head, isPublic: false) == nil else { throw Unfit() }
    probe.require(!head.isAmbiguous, "one of each field")
    probe.require(head["authorization"]?.hasSuffix(token) == true, "who has the token")
    probe.require(
      ["127.0.0.1:4321", "localhost:4321"].contains(head["host"]?.lowercased()), "our own host")
    if let origin = head["origin"] {
      probe.require(
        ["https://a.test", "http://127.0.0.1:4321", "http://localhost:4321"].contains(origin),
        "an allowed origin")
    }
  }

  /// The routes of a service that allows everything; the work for the card is left out.
  private static let routes = Result {
    let words = [
      "serve", "--allow", ServedFunction.all.map(\.name).joined(separator: ","),
      "--virtual=gemalto",
    ]
    guard case .command(let command) = try Parser.parse(words, of: CieRead.self)
    else { throw Unfit() }
    let slots = command.slots
    let context = RunContext(.english, Interruption())
    return try PINEntry.allCases.map { entry in
      var routes = try ServiceRoutes(
        Set(ServedFunction.all), entry, deadline: 5, HolderTerms(from: slots),
        SourceOptions(from: slots), nil, speaker: "serve", in: context)
      let prepare = routes.prepare
      // Reads the request, without a command to a card.
      routes.prepare = { (function, object) throws(Failure) in
        _ = try prepare(function, object)
        return noWork
      }
      routes.page = ServicePage(functions: routes.functions, entry: entry)
      routes.origins = ["https://a.test"]
      return routes
    }
  }

  private static func noWork(
    _ conversation: Conversation, _ context: RunContext
  ) throws(Failure) -> CommandOutcome { CommandOutcome() }

  private static let server = LocalServer(rule: .filePermissions, isPublic: { _ in false }) {
    _, _ in
  }

  private static let request = FuzzTarget("serve-request") {
    let post = { (name: String) in
      "POST /v1/\(name)\nContent-Type: application/json\nOrigin: https://a.test\n\n"
    }
    let texts = [
      post("nis") + #"{"requireProved":true}"#,
      post("read") + #"{"can":"123456","only":["dg1","mrz"]}"#,
      post("verify") + #"{"challenge":"00112233","requireValid":false,"can":"654321"}"#,
      post("sign")
        + #"{"pin":"12345678","algorithm":"sha256","digests":["\#(String(repeating: "0A", count: 32))"]}"#,
      post("cert") + #"{"pin" : "87654321"}"#,
      post("login") + #"{"link":"\#(card)","pin":"12345678"}"#,
      post("pin-change") + #"{"pin":"12345678","newPin":"27182845"}"#,
      post("sign-files") + #"{"pin":"12345678","files":["1"],"mark":"top-left","page":"2"}"#,
      post("files") + #"{"name":"a.pdf","size":3}"#, post("register") + #"{"what":"firefox"}"#,
      post("cancel") + "{}", "GET /v1/status it\n\n", "GET /v1/openapi.json\n\n", "GET / sl\n\n",
      "OPTIONS /v1/nis\n\n", post("info"),
    ]
    return Seeds.behind([[0], [2]], texts.map { [UInt8]($0.utf8) })
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let all = try routes.get()
    let routes = all[Int(choices[0]) % all.count]
    let end = rest.indices.dropLast().first { rest[$0] == 0x0A && rest[$0 + 1] == 0x0A }
    let head = head(rest[..<(end ?? rest.endIndex)])
    guard !head.path.hasPrefix("/v1/events") else { throw Unfit() }
    let exchange = Exchange(head, bodyLimit: LocalServer.Limits().body)
    let body = end.map { [UInt8](rest[($0 + 2)...]) } ?? []
    body.withUnsafeBytes { exchange.body.append($0) }
    routes.answer(exchange, from: server, isLocal: false)
    while routes.card.isBusy { usleep(20) }
    _ = try? RequestObject(exchange.body, of: [])
    // The PIN in the body is wiped.
    let left = exchange.body.withBytes { [UInt8]($0) }
    probe.require(
      !String(decoding: left, as: UTF8.self).contains(#""pin":"12345678""#), "no PIN stays")
    guard head.path.hasPrefix("/v1/") else { throw Unfit() }
  }
}
