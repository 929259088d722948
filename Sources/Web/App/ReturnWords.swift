/// Words of the page that ends an exchange through a browser, without markup.
public struct ReturnWords: Sendable, Equatable {
  /// The language of the words (BCP 47).
  public var language = "en"
  /// The title of the page.
  public var title = "Login"
  /// The answer was received.
  public var accepted = "Login received: you may close this page and go back to the program."
  /// Another request was made.
  public var refused = "Not a valid request."

  /// English words that name no program.
  public init() {}
}

/// The page that the browser shows after a request: without scripts, pictures or the URL itself.
extension ReturnWords {
  var acceptance: [UInt8] { answer("200 OK", accepted) }

  /// The answer to another one: equal for all reasons but the method, so that guessing teaches nothing.
  func refusal(of reason: ReturnRequest.Refusal, _ shape: ReturnRequest.Shape) -> [UInt8] {
    switch reason {
    case .method:
      answer(
        "405 Method Not Allowed", refused,
        shape.takesForms ? "Allow: GET, POST\r\n" : "Allow: GET\r\n")
    case .malformed, .host, .path, .parameters: answer("404 Not Found", refused)
    }
  }

  private func answer(_ status: String, _ text: String, _ header: String = "") -> [UInt8] {
    let page =
      "<!doctype html><html lang=\"\(language)\"><meta charset=\"utf-8\"><title>\(title)</title>"
      + "<p>\(text)</p>\n"
    return LoopbackVisit.answer(
      status, [UInt8](page.utf8), policy: "default-src 'none'", header: header)
  }
}

extension LoopbackVisit {
  /// The answer with a page, which a browser must not keep.
  ///
  /// - Parameter policy: the Content Security Policy.
  static func answer(
    _ status: String, _ page: [UInt8], policy: String, header: String = ""
  ) -> [UInt8] {
    let head =
      "HTTP/1.1 \(status)\r\n" + header + "Content-Type: text/html; charset=utf-8\r\n"
      + "Content-Length: \(page.count)\r\nConnection: close\r\nCache-Control: no-store\r\n"
      + "Content-Security-Policy: \(policy)\r\nReferrer-Policy: no-referrer\r\n"
      + "X-Content-Type-Options: nosniff\r\n\r\n"
    return [UInt8](head.utf8) + page
  }
}
