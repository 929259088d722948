import Testing

@testable import RedirectFlow
@testable import Web

/// The parsing of redirects; `HeadlessLoginTests` has the following of them, and its limits.
@Suite struct RedirectTests {
  private let server: HostileServer
  private let client: HTTPClient

  init() throws {
    server = try HostileServer()
    client = try HTTPClient(HTTPSettings(trust: nil, userAgent: "test/1"))
  }

  private func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  @Test func areAnswers() throws {
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
    let next = try #require(request.redirected(by: try client.send(request)))
    let text = String(decoding: try client.send(next).body, as: UTF8.self)
    #expect(text.contains("\"method\": \"\(method)\""))
    #expect(text.contains("\"body\": \"\(method == "POST" ? "a=b" : "")\""))
  }

  @Test(arguments: [300, 304, 305, 306])
  func areNoneWithOtherStatuses(status: Int) throws {
    let request = HTTPRequest(url: url("/redirect?status=\(status)&to=/echo"), method: .get)
    let response = try client.send(request)
    #expect(response.status == status && request.redirected(by: response) == nil)
  }

  /// An address of another scheme passes unchanged, for `HandOff` to check.
  @Test(arguments: ["CIEID://https://x.example/a?b=c", "file:///etc/passwd", "data:text/html,a"])
  func keepOtherSchemes(target: String) throws {
    let text = target.replacing("?", with: "%3F")
    #expect(try client.get(url("/redirect?status=302&to=\(text)")).location == target)
  }
}
