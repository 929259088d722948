@testable import Web
internal import Synchronization

/// Servers as a table, which count their requests.
final class AnswerTable: PageExchange, Sendable {
  private let answers: [String: [UInt8]]
  private let type: String
  private let status: Int
  private let asked = Mutex(0)
  let cookies: [String] = []

  var count: Int { asked.withLock { $0 } }

  init(_ answers: [String: [UInt8]], type: String, status: Int = 200) {
    self.answers = answers
    self.type = type
    self.status = status
  }

  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    asked.withLock { $0 += 1 }
    guard let body = answers[String(request.url.prefix { $0 != "?" })] else {
      throw .connect(host: "")
    }
    return try HTTPResponse(
      status: status, url: request.url, headers: [.init(name: "content-type", value: type)],
      body: body)
  }
}
