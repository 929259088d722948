internal import Primitives

/// A page that sends a form to another server as soon as it is shown, to bring a message from this machine into the
/// person's own browser (SAML 2.0 Bindings §3.5.4).
package struct FormPage: Sendable {
  /// The page as a file. A reader of the file can go on with the login in the person's place.
  package let file: [UInt8]

  /// - Parameter words: its language, and its title, which stands on its button, too: for browsers without scripts.
  package init(sending form: HTTPForm, to action: RedirectURL, _ words: ReturnWords) {
    let title = Self.escaped(words.title)
    let fields = form.fields.map {
      "<input type=\"hidden\" name=\"\(Self.escaped($0.name))\" value=\"\(Self.escaped($0.value))\">"
    }
    file = [UInt8](
      ("<!doctype html><html lang=\"\(Self.escaped(words.language))\"><meta charset=\"utf-8\">"
        + "<title>\(title)</title><form method=\"post\" action=\"\(Self.escaped(action.text))\">"
        + fields.joined() + "<button>\(title)</button></form><script>\(Self.script)</script>\n")
        .utf8)
  }

  /// The page as an answer to a browser, which must not run any other script in it.
  var answer: [UInt8] {
    LoopbackVisit.answer(
      "200 OK", file,
      policy: "default-src 'none'; script-src '\(Self.scriptHash)'; form-action https:; "
        + "frame-ancestors 'none'; base-uri 'none'")
  }

  static let script = "document.forms[0].submit()"
  /// The script's SHA-256 as a source expression (Content Security Policy Level 3 §2.3.1).
  static let scriptHash = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE="

  /// For text and for attributes in quotation marks.
  private static func escaped(_ text: String) -> String {
    text.exchanging("&", for: "&amp;").exchanging("<", for: "&lt;").exchanging(">", for: "&gt;")
      .exchanging("\"", for: "&quot;").exchanging("'", for: "&#39;")
  }
}

extension FormPage: Redacted {
  package var description: String { "page with a form, \(file.count) bytes" }
}
