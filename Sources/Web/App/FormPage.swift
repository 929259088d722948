/// A page that sends a form to another server as soon as it is shown, to bring a message from this machine into the
/// person's own browser (SAML 2.0 Bindings §3.5.4).
package struct FormPage: Sendable {
  private let html: [UInt8]

  /// - Parameters:
  ///   - form: the fields to send.
  ///   - action: the receiver, by POST.
  ///   - words: its language, and its title, which stands on its button, too: for browsers without scripts.
  package init(sending form: HTTPForm, to action: RedirectURL, _ words: ReturnPage) {
    let title = Self.escaped(words.title)
    let fields = form.fields.map {
      "<input type=\"hidden\" name=\"\(Self.escaped($0.name))\" value=\"\(Self.escaped($0.value))\">"
    }
    html = [UInt8](
      ("<!doctype html><html lang=\"\(Self.escaped(words.language))\"><meta charset=\"utf-8\">"
        + "<title>\(title)</title><form method=\"post\" action=\"\(Self.escaped(action.text))\">"
        + fields.joined() + "<button>\(title)</button></form><script>\(Self.script)</script>\n")
        .utf8)
  }

  /// The page as a file. A reader of the file can go on with the login in the person's place.
  package var file: [UInt8] { html }

  /// The page as an answer to a browser, which must not keep it, nor run any other script in it.
  var answer: [UInt8] {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
      + "Content-Length: \(html.count)\r\nConnection: close\r\nCache-Control: no-store\r\n"
      + "Content-Security-Policy: default-src 'none'; script-src '\(Self.scriptHash)'; "
      + "form-action https:; frame-ancestors 'none'; base-uri 'none'\r\n"
      + "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    return [UInt8](head.utf8) + html
  }

  static let script = "document.forms[0].submit()"
  /// The script's SHA-256 as a source expression (Content Security Policy Level 3 §2.3.1).
  static let scriptHash = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE="

  /// For text and for attributes in quotation marks.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension FormPage: Redacted {
  package var description: String { "page with a form, \(html.count) bytes" }
}
