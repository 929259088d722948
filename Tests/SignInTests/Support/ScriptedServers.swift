import Primitives
@testable import Web
import Synchronization

@testable import SignIn

/// Servers as a table of responses by address, with a record of the requests.
final class ScriptedServers: PageExchange, Sendable {
  /// Response of an address.
  struct Answer: Sendable {
    var status = 200
    var headers: [HTTPResponse.Header] = []
    var body = ""
    var failure: HTTPError?

    static func json(_ text: String, status: Int = 200) -> Answer {
      Answer(
        status: status, headers: [.init(name: "content-type", value: "application/json")],
        body: text)
    }

    static func of(type: String, _ body: String, status: Int = 200) -> Answer {
      Answer(status: status, headers: [.init(name: "content-type", value: type)], body: body)
    }

    static func redirect(_ location: String, status: Int = 302) -> Answer {
      Answer(status: status, headers: [.init(name: "location", value: location)])
    }

    static func status(_ status: Int, _ headers: [HTTPResponse.Header] = []) -> Answer {
      Answer(status: status, headers: headers)
    }

    static func failure(_ error: HTTPError) -> Answer { Answer(failure: error) }
  }

  /// Takes responses by method and address, such as `POST https://example.test/token`; a key with a query precedes one
  /// without. Several are returned one after another, the last one repeatedly.
  init(_ answers: [String: [Answer]]) { state = Mutex(State(answers: answers)) }

  convenience init(_ answers: [String: Answer]) { self.init(answers.mapValues { [$0] }) }

  /// Requests in order: method, address, and form or JSON text.
  var requests: [String] { state.withLock { $0.requests } }

  /// Header fields of every request.
  var headers: [[String: String]] { state.withLock { $0.headers } }

  let cookies: [String] = []

  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    let (method, body) =
      switch request.method {
      case .get: ("GET", "")
      case .post(let form): ("POST", " " + form.fields.encoded)
      case .postBytes(let bytes): ("POST", " " + String(decoding: bytes, as: UTF8.self))
      }
    let key = method + " " + request.url
    let answer = state.withLock { state -> Answer? in
      state.requests.append(key + body)
      state.headers.append(
        Dictionary(request.headers.map { ($0.name, $0.value) }) { $0 + " and " + $1 })
      let name = state.answers[key] == nil ? String(key.prefix { $0 != "?" }) : key
      guard let answers = state.answers[name], let first = answers.first else { return nil }
      if answers.count > 1 { state.answers[name] = Array(answers.dropFirst()) }
      return first
    }
    guard let answer else { throw .connect(host: "not in the script: " + key) }
    if let failure = answer.failure { throw failure }
    return try HTTPResponse(
      status: answer.status, url: request.url, headers: answer.headers,
      body: [UInt8](answer.body.utf8))
  }

  private struct State {
    var answers: [String: [Answer]]
    var requests: [String] = []
    var headers: [[String: String]] = []
  }

  private let state: Mutex<State>
}

/// Clock that moves only by `wait`.
final class ScriptedClock: Sendable {
  private let state: Mutex<(now: UTCTime, waited: [Duration])>

  /// - Parameter now: default 2026-01-01T00:00:00Z.
  init(_ now: UTCTime = 1_767_225_600) { state = Mutex((now, [])) }

  var now: UTCTime { state.withLock { $0.now } }

  /// Total time of all waits, in seconds.
  var waited: Double { state.withLock { $0.waited.reduce(.zero, +) / .seconds(1) } }

  func wait(_ time: Duration) {
    state.withLock {
      $0.waited.append(time)
      let seconds = $0.waited.reduce(.zero, +).components.seconds
      let before = $0.waited.dropLast().reduce(.zero, +).components.seconds
      $0.now = UTCTime(seconds: $0.now.seconds + seconds - before)
    }
  }
}

extension ScriptedServers {
  /// Creates a context for these servers, without real waiting.
  func context(clock: ScriptedClock = ScriptedClock()) throws -> SignInContext {
    try SignInContext(
      service: "Test", trust: nil, now: { clock.now }, sleep: { clock.wait($0) },
      exchange: { self })
  }
}
