import CServicePage
import CardWork
import LocalService
import Messages
import Primitives

/// The page that shows readers and cards, reads a card, and completes a login: three files, of which only the first has
/// words, from the table.
struct ServicePage: Sendable {
  /// A file of the page.
  enum File: Sendable {
    case html, style, script
  }

  /// The functions that the page may offer.
  let functions: Set<ServedFunction>
  let entry: PINEntry

  /// The description of the answers (OpenAPI).
  static var description: [UInt8] { bytes(service_description()) }

  /// The file of a path; `nil` for another path.
  func file(at path: String) -> File? {
    switch path {
    case "/": .html
    case "/page.css": .style
    case "/page.js": .script
    default: nil
    }
  }

  /// A file, with headers that forbid the page all foreign content.
  func answer(_ file: File, in language: Language) -> Answer {
    var answer =
      switch file {
      case .html:
        Answer(200, type: "text/html; charset=utf-8", [UInt8](html(language).utf8))
      case .style: Answer(200, type: "text/css; charset=utf-8", Self.bytes(service_page_style()))
      case .script:
        Answer(200, type: "text/javascript; charset=utf-8", Self.bytes(service_page_script()))
      }
    answer.headers = [
      ("Content-Security-Policy", Self.policy), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Vary", "Accept-Language"),
    ]
    return answer
  }

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  private static func bytes(_ file: service_file) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// The page with its words: `{name}` stands for one.
  private func html(_ language: Language) -> String {
    let template = String(decoding: Self.bytes(service_page_html()), as: UTF8.self)
    var words = Dictionary(
      uniqueKeysWithValues: Self.words.map { ($0.name, $0.text(language).escapedForHTML) })
    words["language"] = language.rawValue
    words["language-links"] = Language.allCases.map(Self.link).joined(separator: "\n")
    words["functions"] = functions.map(\.rawValue).sorted().joined(separator: " ")
    words["entry"] = entry.rawValue
    return template.parts(between: "{{").enumerated()
      .reduce(into: "") { result, part in
        let name = part.element.prefix { $0 != "}" }
        guard part.offset > 0, let word = words[String(name)] else {
          result += part.element
          return
        }
        result += word + part.element.dropFirst(name.count + 2)
      }
  }
}

extension ServicePage {
  /// The link to the page in a language, under that language's own name.
  private static func link(to language: Language) -> String {
    let (code, name) = (language.rawValue, Message("language")(language).escapedForHTML)
    return "<li><a href=\"/?lang=\(code)\" lang=\"\(code)\" hreflang=\"\(code)\">\(name)</a></li>"
  }
}

extension String {
  /// The text escaped for an element or a quoted attribute.
  fileprivate var escapedForHTML: String {
    exchanging("&", for: "&amp;").exchanging("<", for: "&lt;").exchanging(">", for: "&gt;")
      .exchanging("\"", for: "&quot;")
  }
}
