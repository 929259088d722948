import Foundation
import Testing

@testable import RedirectFlow

@Suite struct RedirectTests {
  private let server: HostileServer
  private let client: HTTPClient

  init() throws {
    server = try HostileServer()
    client = try HTTPClient(HTTPSettings(trust: .system, userAgent: "test/1"))
  }

  private func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  @Test func areAnswersToACallWithoutJudge() throws {
    let response = try client.get(url("/redirect?status=302&to=../echo%3Fa=b"))
    #expect(response.status == 302)
    #expect(response.location == url("/echo?a=b"))
  }

  @Test(arguments: [
    (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
  ])
  func changeTheMethodAsBrowsersDo(status: Int, method: String) throws {
    let request = HTTPRequest(
      url: url("/redirect?status=\(status)&to=/echo"), method: .post(["a": "b"]))
    let response = try client.send(request) { _, _ in true }
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("\"method\": \"\(method)\""))
    #expect(text.contains("\"body\": \"\(method == "POST" ? "a=b" : "")\""))
  }

  @Test(arguments: [300, 304, 305, 306])
  func areNotFollowedForOtherStatuses(status: Int) throws {
    let request = HTTPRequest(url: url("/redirect?status=\(status)&to=/echo"), method: .get)
    let response = try client.send(request) { _, _ in
      Issue.record("judged")
      return true
    }
    #expect(response.status == status)
  }

  @Test func areFollowedTenTimes() throws {
    let ten = HTTPRequest(url: url("/countdown?n=10"), method: .get)
    #expect(try client.send(ten) { _, _ in true }.status == 200)
    let eleven = HTTPRequest(url: url("/countdown?n=11"), method: .get)
    #expect(throws: HTTPError.tooManyRedirects(limit: 10)) {
      try client.send(eleven) { _, _ in true }
    }
  }

  @Test func areJudgedOneByOne() throws {
    var hops: [String] = []
    let response = try client.send(HTTPRequest(url: url("/countdown?n=3"), method: .get)) {
      hops += [$0, $1]
      return hops.count < 4
    }
    #expect(
      hops == ["3", "2", "2", "1"].map { url("/countdown?n=\($0)") })
    #expect(response.status == 302)
    #expect(response.location == url("/countdown?n=1"))
  }

  @Test func endWithTheJudgesError() throws {
    struct NotThere: Error {}
    #expect(throws: NotThere.self) {
      try client.send(HTTPRequest(url: url("/countdown?n=3"), method: .get)) { _, _ in
        throw NotThere()
      }
    }
  }

  @Test func toAnAppReachTheJudge() throws {
    var target = ""
    let request = HTTPRequest(
      url: url("/redirect?status=302&to=CIEID://https://x.example/a%3Fb=c"), method: .get)
    let response = try client.send(request) {
      target = $1
      return false
    }
    #expect(target == "CIEID://https://x.example/a?b=c")
    #expect(response.location == target)
  }

  @Test(arguments: [
    "file:///etc/passwd", "data:text/html,a", "ftp://127.0.0.1/", "javascript:alert(1)",
    "http://user:word@127.0.0.1/",
  ])
  func neverLeaveHTTP(target: String) throws {
    let request = HTTPRequest(
      url: url("/redirect?status=302&to=\(target)"), method: .get)
    #expect(throws: HTTPError.unusableURL) { try client.send(request) { _, _ in true } }
  }

  @Test func neverLeaveTLS() throws {
    let authority = try TestAuthority()
    let secure = try HostileServer(authority.issue())
    let client = try HTTPClient(
      HTTPSettings(trust: .file(path: authority.certificate), userAgent: "test/1"))
    let request = HTTPRequest(
      url: "https://127.0.0.1:\(secure.port)/redirect?status=302&to=\(url("/echo"))",
      method: .get)
    #expect(throws: HTTPError.insecureRedirect) { try client.send(request) { _, _ in true } }
    #expect(try client.send(request) { _, _ in false }.location == url("/echo"))
  }
}
