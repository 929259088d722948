/// One HTTP/1.1 request to the loopback listener (RFC 9112), of which only one shape is right.
struct ReturnRequest {
  /// Why a request is refused.
  enum Refusal: Error, CaseIterable {
    /// No HTTP/1.1 request at all, or one with a body.
    case malformed
    /// Another method than GET.
    case method
    /// Not for 127.0.0.1 and our port: a page of another host name that leads here (DNS rebinding).
    case host
    /// Not the secret path.
    case path
    /// The secret path without exactly what is waited for.
    case parameters
  }

  /// What comes behind the secret path.
  enum Shape: Sendable {
    /// `url`, the address with which an app ends a hand-off.
    case url
    /// The parameters that a provider gives back: some, none of them twice (RFC 6749 §3.1).
    case parameters
  }

  /// The longest head that is read, in bytes.
  static let limit = 16 << 10
  /// The most parameters that are taken.
  static let itemLimit = 32
  /// What ends a head.
  static let end = [UInt8]("\r\n\r\n".utf8)

  /// What came, decoded once, not yet checked.
  let items: [QueryItem]

  /// - Parameters:
  ///   - head: up to and with the empty line.
  ///   - address: what the listener was made for, secret path included.
  init(_ head: [UInt8], for address: RedirectURL, taking shape: Shape = .url) throws(Refusal) {
    let blank = UInt8(ascii: " ")
    guard head.suffix(Self.end.count).elementsEqual(Self.end) else { throw .malformed }
    var lines = Self.lines(head.dropLast(Self.end.count))
    let words = lines.removeFirst().split(separator: blank, omittingEmptySubsequences: false)
    guard words.count == 3, words[2].elementsEqual("HTTP/1.1".utf8) else { throw .malformed }
    guard words[0].elementsEqual("GET".utf8) else { throw .method }
    guard words[1].first == UInt8(ascii: "/") else { throw .malformed }
    try Self.checkHeaders(lines, host: "\(address.host):\(address.port)")
    let target = "\(address.origin)" + String(decoding: words[1], as: UTF8.self)
    guard let url = try? RedirectURL(target) else { throw .malformed }
    guard url.path == address.path else { throw .path }
    switch shape {
    case .url: guard url.queryItems.map(\.name) == ["url"] else { throw .parameters }
    case .parameters:
      guard (1...Self.itemLimit).contains(url.queryItems.count),
        Set(url.queryItems.map(\.name)).count == url.queryItems.count
      else { throw .parameters }
    }
    items = url.queryItems
  }

  /// Exactly one right `Host`, and nothing that announces a body.
  private static func checkHeaders(
    _ lines: [ArraySlice<UInt8>], host: String
  ) throws(Refusal) {
    var hosts: [String] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
      switch ASCII.lowercased(line[..<colon]) {
      case "host":
        let value = line[colon...].dropFirst().trimmed { $0 == UInt8(ascii: " ") || $0 == 0x09 }
        hosts.append(String(decoding: value, as: UTF8.self))
      case "content-length", "transfer-encoding": throw .malformed
      default: continue
      }
    }
    guard hosts == [host] else { throw .host }
  }

  /// The lines between CR LF; a line feed or carriage return alone stays in its line. At least one.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    for index in bytes.indices.dropFirst() where bytes[index] == 0x0A && bytes[index - 1] == 0x0D {
      guard index - 1 >= start else { continue }
      lines.append(bytes[start..<(index - 1)])
      start = index + 1
    }
    lines.append(bytes[start...])
    return lines
  }
}

/// What the browser shows once a request was dealt with: a page without scripts, pictures or the URL itself.
package struct ReturnPage: Sendable {
  /// The page in English, naming no program.
  package init() {}

  var language = "en"
  var title = "Login"
  /// What it says of the right request.
  var acceptance = "Login received: you may close this page and go back to the program."
  /// What it says of another one.
  var refusal = "Not a valid request."

  /// The answer to the right request.
  var accepted: [UInt8] { answer("200 OK", acceptance) }

  /// Another one; the same answer for all reasons but the method, so that guessing teaches nothing.
  func refused(_ reason: ReturnRequest.Refusal) -> [UInt8] {
    switch reason {
    case .method: answer("405 Method Not Allowed", refusal, "Allow: GET\r\n")
    case .malformed, .host, .path, .parameters: answer("404 Not Found", refusal)
    }
  }

  private func answer(_ status: String, _ text: String, _ header: String = "") -> [UInt8] {
    let page =
      "<!doctype html><html lang=\"\(language)\"><meta charset=\"utf-8\"><title>\(title)</title>"
      + "<p>\(text)</p>\n"
    let head =
      "HTTP/1.1 \(status)\r\n" + header + "Content-Type: text/html; charset=utf-8\r\n"
      + "Content-Length: \(page.utf8.count)\r\nConnection: close\r\nCache-Control: no-store\r\n"
      + "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
      + "X-Content-Type-Options: nosniff\r\n\r\n"
    return [UInt8]((head + page).utf8)
  }
}
