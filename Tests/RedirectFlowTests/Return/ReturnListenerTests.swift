@testable import Web
import Dispatch
import RedirectFlow
import Testing

@Suite struct ReturnListenerTests {
  private static let wanted = "https://idserver.servizicie.interno.gov.it/?a=b&c=%20+"
  private static let query = "?" + [QueryItem("url", wanted)].encoded

  private func request(
    _ listener: ReturnListener, _ method: String = "GET", path: String? = nil,
    query: String = query, host: String? = nil, version: String = "HTTP/1.1", more: String = ""
  ) -> String {
    let host = host ?? "Host: 127.0.0.1:\(listener.address.port)\r\n"
    return "\(method) \(path ?? listener.address.path)\(query) \(version)\r\n\(host)\(more)\r\n"
  }

  private func visit(_ listener: ReturnListener) throws -> Visitor {
    try #require(Visitor(port: listener.address.port))
  }

  @Test func takesOneURL() throws {
    let listener = try ReturnListener()
    let visitor = try visit(listener).send(request(listener))
    #expect(try listener.wait(timeout: .seconds(20)) == Self.wanted)
    let answer = visitor.answer()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("\r\nCache-Control: no-store\r\n"))
    #expect(answer.contains("\r\nContent-Security-Policy: default-src 'none'\r\n"))
    #expect(answer.hasSuffix("</p>\n"))
    #expect(!answer.contains("idserver"))
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
    #expect(answer.contains("Content-Length: \(parts[1].utf8.count)\r\n"))

    #expect(Visitor(port: listener.address.port) == nil)
    #expect(throws: HandOffError.listener(.ended)) { try listener.wait(timeout: .seconds(20)) }
  }

  @Test func doesNotTakeTheSecondOfTwoWaiting() throws {
    let listener = try ReturnListener()
    let visitors = [try visit(listener), try visit(listener)]
    for visitor in visitors { visitor.send(request(listener)) }
    #expect(try listener.wait(timeout: .seconds(20)) == Self.wanted)
    #expect(throws: HandOffError.listener(.ended)) { try listener.wait(timeout: .seconds(20)) }
  }

  @Test func hasAnAddressOfItsOwnEachTime() throws {
    let listeners = [try ReturnListener(), try ReturnListener()]
    for listener in listeners {
      #expect(listener.address.text.hasPrefix("http://127.0.0.1:"))
      let secret = listener.address.path.dropFirst()
      #expect(secret.utf8.count == 32 && secret.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }
    #expect(listeners[0].address.path != listeners[1].address.path)
    #expect(listeners[0].address.port != listeners[1].address.port)
  }

  /// All of 127/8 leads to this machine, so another address of it reveals the bound address.
  @Test func listensAtOneAddressOnly() throws {
    let listener = try ReturnListener()
    #expect(Visitor(port: listener.address.port, host: 0x7F00_0001) != nil)
    #expect(Visitor(port: listener.address.port, host: 0x7F00_0002) == nil)
  }

  @Test func refusesWrongRequestsAndGoesOn() throws {
    let listener = try ReturnListener()
    let port = listener.address.port
    let path = listener.address.path
    let wrong = [
      request(listener, path: "/"), request(listener, path: "/favicon.ico"),
      request(listener, path: path + "0"), request(listener, path: String(path.dropLast())),
      request(listener, path: path.uppercased() + "X"), request(listener, path: path + "/"),
      request(listener, path: "http://127.0.0.1:\(port)" + path), request(listener, query: ""),
      request(listener, query: "?url=a&url=b"), request(listener, query: "?url=a&x=b"),
      request(listener, query: "?uri=a"), request(listener, query: "?url=%"),
      request(listener, host: ""), request(listener, host: "Host: localhost:\(port)\r\n"),
      request(listener, host: "Host: evil.example\r\n"),
      request(listener, host: "Host: 127.0.0.1\r\n"),
      request(listener, host: "Host: 127.0.0.1:\(port).evil.example\r\n"),
      request(listener, more: "Host: 127.0.0.1:\(port)\r\n"),
      request(listener, more: "Content-Length: 0\r\n"),
      request(listener, more: "Transfer-Encoding: chunked\r\n"), request(listener, more: "x\r\n"),
      request(listener, version: "HTTP/1.0"), request(listener, version: "HTTP/2"),
      "\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}",
    ]
    let visitors = try wrong.map { try visit(listener).send($0).finish() }
    let poster = try visit(listener).send(request(listener, "POST"))
    let header = try visit(listener).send(request(listener, "HEAD"))
    let right = try visit(listener).send(request(listener))
    #expect(try listener.wait(timeout: .seconds(20)) == Self.wanted)
    for (text, visitor) in zip(wrong, visitors) {
      #expect(visitor.answer().hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(text)")
    }
    for visitor in [poster, header] {
      #expect(visitor.answer().hasPrefix("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\n"))
    }
    #expect(right.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func takesARequestInPieces() throws {
    let listener = try ReturnListener()
    let visitor = try visit(listener)
    for character in request(listener, more: "HoSt2: x\r\n").unicodeScalars {
      visitor.send(String(character))
    }
    #expect(try listener.wait(timeout: .seconds(20)) == Self.wanted)
  }

  @Test func doesNotWaitForSilentOrEndlessVisitors() throws {
    let listener = try ReturnListener()
    let silent = try visit(listener).send("GET ")
    let endless = try visit(listener).send(
      request(listener, more: "X: " + String(repeating: "x", count: 16 << 10)))
    let right = try visit(listener).send(request(listener))
    #expect(try listener.wait(timeout: .seconds(20)) == Self.wanted)
    #expect(silent.answer().hasPrefix("HTTP/1.1 404"))
    #expect(!endless.answer().hasPrefix("HTTP/1.1 200"))
    #expect(right.answer().hasPrefix("HTTP/1.1 200"))
  }

  @Test func hasAShortLife() throws {
    let listener = try ReturnListener()
    let silent = try visit(listener)
    #expect(throws: HandOffError.listener(.timedOut)) {
      try listener.wait(timeout: .milliseconds(20))
    }
    #expect(Visitor(port: listener.address.port) == nil)
    withExtendedLifetime(silent) {}
  }

  @Test func canBeCancelledBeforeAndWhileItWaits() throws {
    let early = try ReturnListener()
    early.cancel()
    #expect(throws: HandOffError.listener(.cancelled)) { try early.wait(timeout: .seconds(20)) }

    let late = try ReturnListener()
    let silent = try visit(late)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { late.cancel() }
    #expect(throws: HandOffError.listener(.cancelled)) { try late.wait(timeout: .seconds(20)) }
    withExtendedLifetime(silent) {}
  }
}
