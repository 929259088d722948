import Primitives
import Testing

@testable import RedirectFlow
@testable import Web

/// A sign-in in a browser with prepared messages: the detected ends, and the requests that pass.
@Suite struct WatchedReturnTests {
  private static let host = "https://service.example/"

  private func end(_ story: [String]) async throws -> (end: WatchedReturn.End, heard: String) {
    let browser = ScriptedBrowser(story)
    let origin = try RedirectURL(Self.host).origin
    let watch = WatchedReturn(
      in: browser,
      isEnd: {
        $0.hasPrefix(Self.host) && $0.contains("code=") || $0.hasPrefix("org.example.app:")
      },
      takesData: { $0.origin == origin })
    let end = try await watch.end(from: try RedirectURL("http://127.0.0.1:1/start"))
    return (end, browser.heard)
  }

  @Test func `the address with the code is taken and never requested`() async throws {
    let (end, heard) = try await end([
      asks("https://provider.example/login", "R1"), asks(Self.host + "acs", "R2"),
      asks(Self.host + "me?code=c", "R3"),
    ])
    #expect(end.address == Self.host + "me?code=c" && end.body == nil)
    #expect(heard.contains(#""url":"http:\/\/127.0.0.1:1\/start""#) || heard.contains("/start"))
    let (sent, refused) = (
      heard.components(of: "Fetch.continueRequest"), heard.components(of: "Fetch.failRequest")
    )
    #expect(sent == 2 && refused == 1)
  }

  @Test func `an address for an app is taken only from the page itself`() async throws {
    let (end, _) = try await end([
      begins("org.example.app:/back?code=frame", frame: "other"),
      begins("org.example.app:/back?code=c", frame: "F"),
    ])
    #expect(end.address == "org.example.app:/back?code=c")
  }

  @Test func `data of the service's server are taken, pages and others' data are not`()
    async throws
  {
    let (end, heard) = try await end([
      answers("https://provider.example/data", "R1", type: "application/json"),
      answers(Self.host + "page", "R2", type: "text/html"),
      answers(Self.host + "failed", "R3", type: "application/json", status: 500),
      answers(Self.host + "me", "R4", type: "application/json; charset=utf-8"),
      #"{"id":10,"result":{"body":"{\"a\":1}","base64Encoded":false}}"#,
    ])
    #expect(end.address == Self.host + "me")
    #expect(end.body == [UInt8](#"{"a":1}"#.utf8))
    #expect(heard.components(of: "Fetch.getResponseBody") == 1)
  }

  @Test(arguments: [(false, "cancelled"), (true, "browserFailed")])
  func `a closed browser ends it`(_ hasFailed: Bool, _ reason: String) async throws {
    let watch = WatchedReturn(
      in: ScriptedBrowser(hasFailed: hasFailed), isEnd: { _ in false }, takesData: { _ in false })
    let page = try RedirectURL("http://127.0.0.1:1/start")
    let error = await #expect(throws: LoginError.self) { try await watch.end(from: page) }
    #expect(error.map { "\($0.cause)" } == reason)
  }

  private func asks(_ address: String, _ request: String) -> String {
    #"{"method":"Fetch.requestPaused","sessionId":"S","params":{"requestId":"\#(request)","#
      + #""frameId":"F","request":{"url":"\#(address)","headers":{}}}}"#
  }

  private func answers(
    _ address: String, _ request: String, type: String, status: Int = 200
  ) -> String {
    #"{"method":"Fetch.requestPaused","sessionId":"S","params":{"requestId":"\#(request)","#
      + #""frameId":"F","responseStatusCode":\#(status),"#
      + #""responseHeaders":[{"name":"Content-Type","value":"\#(type)"}],"#
      + #""request":{"url":"\#(address)","headers":{}}}}"#
  }

  private func begins(_ address: String, frame: String) -> String {
    #"{"method":"Page.frameRequestedNavigation","sessionId":"S","params":{"frameId":"\#(frame)","#
      + #""url":"\#(address)"}}"#
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
