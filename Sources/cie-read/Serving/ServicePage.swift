import CServicePage
import CardWork
import LocalService
import Messages
import Primitives

/// The page for people: static files without words, and the words in a language, from the table.
struct ServicePage: Sendable {
  enum File: Sendable {
    case stored(type: String, [UInt8])
    case words
  }

  let functions: Set<ServedFunction>
  let entry: PINEntry
  /// True for the window of `desk`, whose address has a ticket.
  var isDesk = false
  /// True if the card is a software card, so that a result is one of a test.
  var isTest = false

  /// The path of the description of the answers (OpenAPI), which is no file of the page.
  private static let descriptionPath = "/v1/openapi.json"

  /// The description of the answers (OpenAPI).
  static var description: [UInt8] { bytes(at: descriptionPath) ?? [] }

  /// The file of a path; `nil` for another path.
  func file(at path: String) -> File? {
    guard path != "/page.json" else { return .words }
    guard path != Self.descriptionPath, let bytes = Self.bytes(at: path) else { return nil }
    let type =
      switch path.split(separator: ".").last {
      case "css": "text/css"
      case "js": "text/javascript"
      case "json": "application/json"
      case "ico": "image/svg+xml"
      default: "text/html"
      }
    return .stored(type: type, bytes)
  }

  /// A file, with headers that forbid the page all foreign content.
  func answer(_ file: File, in language: Language) -> Answer {
    var answer =
      switch file {
      case .stored(let type, let bytes): Answer(200, type: type + "; charset=utf-8", bytes)
      case .words: Answer(200, [UInt8]((words(in: language).text + "\n").utf8))
      }
    answer.headers = [
      ("Content-Security-Policy", Self.policy), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Vary", "Accept-Language"),
    ]
    return answer
  }

  /// Of pictures the icon alone needs a rule: Chromium asks for none without it, and the task bar shows a globe.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  private static func bytes(at path: String) -> [UInt8]? {
    guard let file = service_file_at(path) else { return nil }
    return [UInt8](UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count))
  }
}

extension ServicePage {
  /// The rows of the table that the page shows, by the beginning of their keys.
  private static let families = [
    "page.", "chip.", "cause.", "document.", "point.", "signed.point.", "sign.statement.", "step.",
    "progress.",
  ]

  /// The reasons of points that name nothing of the card or the file, for an answer on the screen when another language is chosen.
  private static func reasons(in language: Language) -> [String] {
    Message.keys(beginning: "reason.").filter { key in
      !key.contains("@") && !Message(key)(language).contains("{")
    }
  }

  /// The words of the page in a language, by their keys, with the languages that it offers and the
  /// operator's settings.
  func words(in language: Language) -> JSON {
    let rows =
      (Self.families.flatMap { Message.keys(beginning: $0) } + Self.reasons(in: language)).sorted()
      + (1...5).map { "topic.privacy.\($0)" } + ["login.certificate-goes-to", "login.purpose"]
    return .object([
      .init("language", language.rawValue), .init("version", ProgramRelease.version),
      .init(
        "languages",
        .object(Language.allCases.map { .init($0.rawValue, Message("language")($0)) })),
      .init("functions", functions.map(\.name).sorted()),
      .init("entry", entry.rawValue), .init("desk", isDesk),
      .init("test", isTest),
      .init("words", .object(rows.map { .init($0, Message($0).asTold(by: "desk")(language)) })),
    ])
  }
}
