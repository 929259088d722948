import Foundation
import Glibc
import RedirectFlow
import Synchronization
import Testing

/// The listener for a provider's answer: in the query, or as a posted form.
@Suite struct ReturnAnswerTests {
  private static let form = "application/x-www-form-urlencoded"
  private static let answer = "state=s&code=a%2Bb+c&iss=https%3A%2F%2Fop.example%2F"
  private static let items = [
    QueryItem("state", "s"), QueryItem("code", "a+b c"), QueryItem("iss", "https://op.example/"),
  ]

  private func listener() throws -> ReturnListener {
    try ReturnListener { items in items.contains(QueryItem("state", "s")) }
  }

  private func get(_ listener: ReturnListener, _ query: String) -> String {
    "GET \(listener.address.path)\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.address.port)\r\n\r\n"
  }

  private func post(
    _ listener: ReturnListener, _ body: String, type: String = form, length: String? = nil,
    query: String = "", more: String = ""
  ) -> String {
    "POST \(listener.address.path)\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.address.port)\r\n"
      + "Content-Type: \(type)\r\nContent-Length: \(length ?? String(body.utf8.count))\r\n\(more)\r\n"
      + body
  }

  private func visit(_ listener: ReturnListener, _ text: String) throws -> Visitor {
    try #require(Visitor(port: listener.address.port)).send(text)
  }

  @Test func `an answer in the query is returned whole`() throws {
    let listener = try listener()
    let visitor = try visit(listener, get(listener, "?" + Self.answer))
    #expect(try listener.answer(timeout: .seconds(20)) == Self.items)
    #expect(visitor.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `a posted answer is returned whole, in one piece or in many`() throws {
    for isWhole in [true, false] {
      let listener = try listener()
      let text = post(listener, Self.answer, type: Self.form.uppercased() + "; charset=utf-8")
      let visitor = try visit(listener, "")
      if isWhole {
        visitor.send(text)
      } else {
        for character in text.unicodeScalars { visitor.send(String(character)) }
      }
      #expect(try listener.answer(timeout: .seconds(20)) == Self.items)
      #expect(visitor.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `a wrong answer, or one in another shape, is refused and the wait goes on`()
    throws
  {
    let listener = try listener()
    let wrong = [
      get(listener, ""), get(listener, "?state=t&code=c"), get(listener, "?code=c"),
      get(listener, "?state=s&state=s"), get(listener, "?state=s&code=a&code=b"),
      get(listener, "?state=s&code=%FF"), get(listener, "?state=s&code=%2"),
      post(listener, "state=t"), post(listener, ""), post(listener, "state=s&state=s"),
      post(listener, "state=s", type: "text/plain"),
      post(listener, "state=s", type: "multipart/form-data"),
      post(listener, Self.answer, query: "?state=s"), post(listener, "state=s&a=%"),
      post(listener, "state=s", length: "6"), post(listener, "state=s", length: "-7"),
      post(listener, "state=s", length: "7 7"), post(listener, "state=s", length: "99999999"),
      post(listener, "state=s", length: "99999999999999999999"),
      post(listener, "state=s", more: "Content-Length: 7\r\n"),
      post(listener, "state=s", more: "Transfer-Encoding: chunked\r\n"),
      post(listener, "state=s", more: "Host: evil.example\r\n"),
      get(listener, "?state=s").replacing("\r\n\r\n", with: "\r\nContent-Length: 0\r\n\r\n"),
      get(listener, "?state=s") + "more",
    ]
    let visitors = try wrong.map { try visit(listener, $0).finish() }
    let head = try visit(listener, get(listener, "?state=s").replacing("GET", with: "HEAD"))
    let right = try visit(listener, get(listener, "?" + Self.answer))
    #expect(try listener.answer(timeout: .seconds(20)) == Self.items)
    for (text, visitor) in zip(wrong, visitors) {
      #expect(visitor.answer().hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(text)")
    }
    #expect(head.answer().hasPrefix("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST\r\n"))
    #expect(right.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `a truncated form is refused and not waited for`() throws {
    let listener = try listener()
    let short = try visit(listener, post(listener, "state=s", length: "100"))
    let right = try visit(listener, get(listener, "?" + Self.answer))
    #expect(try listener.answer(timeout: .seconds(20)) == Self.items)
    #expect(short.answer().hasPrefix("HTTP/1.1 404"))
    #expect(right.answer().hasPrefix("HTTP/1.1 200"))
  }

  /// A registered path is no secret, and a port is found by trying (RFC 8252 §8.4).
  @Test func `other users of the machine cannot end the wait, by wrong requests or by silence`()
    throws
  {
    let listener = try ReturnListener(path: "/signed-in") { $0.contains(QueryItem("state", "s")) }
    #expect(listener.address.path == "/signed-in")
    #expect(!listener.startAddress.path.contains("signed-in"))
    let answer = Mutex<[QueryItem]?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let items = try? listener.answer(timeout: .seconds(600))
      answer.withLock { $0 = items }
      isDone.signal()
    }
    // More than the limit of connections: the first ones make room.
    let silent = try (0..<80).map { _ in try visit(listener, "GET ") }
    let wrong = try (0..<80).map { _ in try visit(listener, get(listener, "?state=t&code=c")) }
    let right = try visit(listener, get(listener, "?" + Self.answer))
    isDone.wait()
    #expect(answer.withLock { $0 } == Self.items)
    #expect(wrong.allSatisfy { $0.answer().hasPrefix("HTTP/1.1 404") })
    #expect(right.answer().hasPrefix("HTTP/1.1 200"))
    withExtendedLifetime(silent) {}
  }

  @Test func `a registered port can be reused, by one listener at a time`() throws {
    let port = try ReturnListener().address.port
    for _ in 0..<3 {
      let listener = try ReturnListener(path: "/x", port: port) { _ in true }
      #expect(listener.address.text == "http://127.0.0.1:\(port)/x")
      #expect(throws: HandOffError.listener(.system(call: "bind", errno: EADDRINUSE))) {
        try ReturnListener(path: "/x", port: port) { _ in true }
      }
      let visitor = try visit(listener, get(listener, "?a=b"))
      #expect(try listener.answer(timeout: .seconds(20)) == [QueryItem("a", "b")])
      #expect(visitor.answer().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func `a listener for a URL refuses forms`() throws {
    let listener = try ReturnListener()
    let form = try visit(listener, post(listener, "url=a"))
    let right = try visit(listener, get(listener, "?url=a"))
    #expect(try listener.wait(timeout: .seconds(20)) == "a")
    #expect(form.answer().hasPrefix("HTTP/1.1 405"))
    #expect(right.answer().hasPrefix("HTTP/1.1 200"))
  }
}
