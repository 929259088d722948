/// What the browser shows once a request was dealt with: a page without scripts, pictures or the URL itself.
enum ReturnPage {
  /// The right request.
  static let accepted = answer(
    "200 OK",
    "<p lang=\"it\">Accesso ricevuto: puoi chiudere questa pagina e tornare al programma.</p>"
      + "<p lang=\"en\">Login received: you may close this page and go back to the program.</p>")

  /// Another one; the same answer for all reasons but the method, so that guessing teaches nothing.
  static func refused(_ reason: ReturnRequest.Refusal) -> [UInt8] {
    let text = "<p lang=\"it\">Richiesta non valida.</p><p lang=\"en\">Not a valid request.</p>"
    switch reason {
    case .method: return answer("405 Method Not Allowed", text, "Allow: GET\r\n")
    case .malformed, .host, .path, .parameters: return answer("404 Not Found", text)
    }
  }

  private static func answer(
    _ status: String, _ text: String, _ header: String = ""
  ) -> [UInt8] {
    let page = "<!doctype html><meta charset=\"utf-8\"><title>cie-read</title>" + text + "\n"
    let head =
      "HTTP/1.1 \(status)\r\n" + header + "Content-Type: text/html; charset=utf-8\r\n"
      + "Content-Length: \(page.utf8.count)\r\nConnection: close\r\nCache-Control: no-store\r\n"
      + "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
      + "X-Content-Type-Options: nosniff\r\n\r\n"
    return [UInt8]((head + page).utf8)
  }
}
