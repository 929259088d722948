internal import CMessages

/// The table of messages that is part of the program. A row is its key on a line, and below it, indented by two, a line
/// a language: `en: Put the card on the reader.` A line that is indented further continues the one above it. `sl two:` is
/// for the counts of which the language says `two` in the row `plural`; the line without a form is for all others.
struct MessageTable: Sendable {
  static let shared = MessageTable(
    [UInt8](UnsafeBufferPointer(start: messages_bytes(), count: messages_length())))

  /// The lines of each row. The texts are made when they are asked for: a run shows few of hundreds.
  private let rows: [String: ArraySlice<ArraySlice<UInt8>>]

  private init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let heads = lines.indices.filter { lines[$0].first.map { $0 > 0x20 } ?? false } + [lines.count]
    var rows = [String: ArraySlice<ArraySlice<UInt8>>](minimumCapacity: heads.count)
    for (head, next) in zip(heads, heads.dropFirst()) {
      rows[String(decoding: lines[head], as: UTF8.self)] = lines[head + 1..<next]
    }
    self.rows = rows
  }

  func has(_ key: String) -> Bool { rows[key] != nil }

  /// The text in a language, else in English.
  func text(of key: String, in language: Language, form: String?) -> String? {
    guard let row = rows[key]?.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
    let counted = form.flatMap { Self.text("  \(language.rawValue) \($0): ", in: row) }
    return counted ?? Self.text("  \(language.rawValue): ", in: row)
      ?? Self.text("  \(Language.english.rawValue): ", in: row)
  }

  /// The languages of a row.
  func languages(of key: String) -> [String] {
    let lines = rows[key]?.map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
    return (lines ?? []).map { String($0.drop { $0 == " " }) }
  }

  private static func text(_ head: String, in row: [String]) -> String? {
    guard let first = row.firstIndex(where: { $0.hasPrefix(head) }) else { return nil }
    let more = row[(first + 1)...].prefix { $0.hasPrefix("    ") }
    return ([row[first].dropFirst(head.count)] + more.map { $0.drop { $0 == " " } })
      .joined(separator: " ")
  }
}
