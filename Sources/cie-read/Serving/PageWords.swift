import Messages
import Primitives

extension ServicePage {
  /// The rows of the table that the page shows, by the beginning of their keys.
  private static let families = [
    "page.", "document.", "point.", "signed.point.", "sign.statement.",
  ]

  /// The words of the page in a language, by their keys, with the languages that it offers and the
  /// operator's settings.
  func words(in language: Language) -> JSON {
    let rows = Self.families.flatMap { Message.keys(beginning: $0) }.sorted()
    return .object([
      .init("language", language.rawValue),
      .init(
        "languages",
        .object(Language.allCases.map { .init($0.rawValue, Message("language")($0)) })),
      .init("functions", .array(functions.map(\.rawValue).sorted().map(JSON.string))),
      .init("entry", entry.rawValue), .init("desk", isDesk),
      .init("words", .object(rows.map { .init($0, Message($0)(language)) })),
    ])
  }
}
