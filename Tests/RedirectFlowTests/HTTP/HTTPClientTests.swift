import Foundation
import Testing

@testable import RedirectFlow
@testable import Web

@Suite struct HTTPClientTests {
  private let server: HostileServer
  private let client: HTTPClient

  init() throws {
    server = try HostileServer()
    client = try HTTPClient(HTTPSettings(trust: nil, userAgent: "test/1"))
  }

  private func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  /// The request as the server received it.
  private struct Echo: Decodable {
    let method: String
    let target: String
    let headers: [String: String]
    let body: String
  }

  private func echo(_ response: HTTPResponse) throws -> Echo {
    try JSONDecoder().decode(Echo.self, from: Data(response.body))
  }

  @Test func getsAPage() throws {
    let response = try client.get(url("/echo?a=b"))
    #expect(response.status == 200)
    #expect(response.url == url("/echo?a=b"))
    #expect(response.header("CONTENT-TYPE") == "application/json")
    #expect(response.location == nil)
    let echo = try echo(response)
    #expect(echo.method == "GET" && echo.target == "/echo?a=b")
    #expect(echo.headers["user-agent"] == "test/1")
    #expect(echo.headers["accept-encoding"] == nil)
  }

  @Test func postsAForm() throws {
    let response = try client.post(
      url("/echo"), form: ["conversation": "e1s1", "a b": "+/=%&?é\n", "a b": "*-._~"])
    let echo = try echo(response)
    #expect(echo.method == "POST")
    #expect(echo.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(
      echo.body == "conversation=e1s1&a+b=%2B%2F%3D%25%26%3F%C3%A9%0A&a+b=*-._%7E")
  }

  @Test func postsAnEmptyFormAndThenGets() throws {
    #expect(try echo(client.post(url("/echo"), form: ["a": "b"])).body == "a=b")
    #expect(try echo(client.post(url("/echo"), form: [:])).headers["content-length"] == "0")
    #expect(try echo(client.get(url("/echo"))).method == "GET")
  }

  @Test func keepsCookiesAndTellsThem() throws {
    _ = try client.get(url("/cookie"))
    #expect(try echo(client.get(url("/echo"))).headers["cookie"] == "session=abc123")
    #expect(client.cookies == ["#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc123"])
    let other = try HTTPClient(client.settings)
    #expect(other.cookies.isEmpty)
    #expect(try echo(other.get(url("/echo"))).headers["cookie"] == nil)
  }

  @Test func headersOfInterimAnswersDoNotCount() throws {
    let response = try client.get(url("/interim"))
    #expect(response.header("x-final") == "1")
    #expect(response.header("x-interim") == nil)
  }

  @Test(arguments: [
    ("/garbage", HTTPError.malformedResponse),
    ("/empty", .disconnected),
    ("/cut", .disconnected),
    ("/endless", .bodyTooLarge(limit: 1 << 20)),
    ("/header-line", .headersTooLong(limit: 100 << 10)),
    ("/header-lines", .headersTooLong(limit: 256 << 10)),
    ("/interim-forever", .headersTooLong(limit: 256 << 10)),
    ("/two-locations", .malformedResponse),
  ])
  func refusesABrokenAnswer(path: String, error: HTTPError) {
    #expect(throws: error) { try client.get(url(path)) }
  }

  @Test func takesABodyUpToTheLimit() throws {
    let length = try client.get(url("/echo")).body.count
    #expect(try client.get(url("/echo"), bodyLimit: length).body.count == length)
    #expect(throws: HTTPError.bodyTooLarge(limit: length - 1)) {
      try client.get(url("/echo"), bodyLimit: length - 1)
    }
  }

  @Test(arguments: ["/silent", "/stalled"])
  func doesNotWaitForEver(path: String) throws {
    var settings = client.settings
    settings.timeout = .milliseconds(200)
    #expect(throws: HTTPError.timeout) { try HTTPClient(settings).get(url(path)) }
  }

  @Test(arguments: ["/silent", "/stalled"])
  func doesNotWaitForAMuteServer(path: String) throws {
    var settings = client.settings
    settings.silence = .seconds(1)
    let start = ContinuousClock.now
    #expect(throws: HTTPError.timeout) { try HTTPClient(settings).get(url(path)) }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// If the header suffices, the end of the body does not matter.
  @Test func takesAPartWhereThatIsEnough() throws {
    var settings = client.settings
    settings.timeout = .seconds(1)
    let client = try HTTPClient(settings)
    for (path, length) in [("/cut", 5), ("/stalled", 5), ("/endless", 3000)] {
      var request = HTTPRequest(url: url(path), method: .get, bodyLimit: 3000)
      request.takesPart = true
      let response = try client.send(request)
      #expect(response.status == 200 && !response.isComplete)
      #expect(response.body.count == length)
    }
    for (path, error) in [
      ("/empty", HTTPError.disconnected), ("/silent", .timeout), ("/garbage", .malformedResponse),
      ("/interim-forever", .headersTooLong(limit: 256 << 10)),
    ] {
      var request = HTTPRequest(url: url(path), method: .get)
      request.takesPart = true
      #expect(throws: error) { try client.send(request) }
    }
    var whole = HTTPRequest(url: url("/echo"), method: .get)
    whole.takesPart = true
    whole.headers = [
      .init(name: "Referer", value: "https://a/"), .init(name: "Origin", value: "null"),
    ]
    let response = try client.send(whole)
    #expect(response.isComplete)
    let headers = try echo(response).headers
    #expect(headers["referer"] == "https://a/" && headers["origin"] == "null")
    #expect(try echo(client.get(url("/echo"))).headers["referer"] == nil)
  }

  /// A redirect's target keeps its bytes, in any encoding.
  @Test func keepsTheBytesOfALocation() throws {
    #expect(try client.get(url("/byte-location")).location == url("/%E0%C3%A0%20x"))
  }

  @Test func endsWhenCancelled() throws {
    let token = client.settings.cancellation
    Thread.detachNewThread {
      usleep(50_000)
      token.cancel()
    }
    #expect(throws: HTTPError.cancelled) { try client.get(url("/silent")) }
    #expect(throws: HTTPError.cancelled) { try client.get(url("/echo")) }
  }

  @Test func tellsWhenNobodyListens() {
    #expect(throws: HTTPError.connect(host: "127.0.0.1")) { try client.get("http://127.0.0.1:1/") }
    #expect(throws: HTTPError.resolve(host: "nobody.invalid")) {
      try client.get("http://nobody.invalid/")
    }
  }

  @Test(arguments: [
    "", "http://", "ftp://127.0.0.1/", "file:///etc/passwd", "//127.0.0.1/", "127.0.0.1",
    "http://user@127.0.0.1/", "http://user:word@127.0.0.1/", "http://127.0.0.1/\u{0}",
    "http://127.0.0.1/a b", "http://127.0.0.1/\r\nHost: b", "http://127.0.0.1/é",
    "http://127.0.0.1:99999/", "gopher://127.0.0.1/", " http://127.0.0.1/", "httpx://127.0.0.1/",
  ])
  func goesNowhereElse(url: String) {
    #expect(throws: HTTPError.unusableURL) { try client.get(url) }
  }

  @Test func printsNothingOfWhatItCarries() throws {
    let request = HTTPRequest(url: url("/echo?s3cret"), method: .post(["codice": "s3cret"]))
    let response = try client.send(request)
    #expect(response.body.count > 100)
    for value in [request, response, response.headers] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("s3cret"))
    }
  }
}
