internal import CMessages

/// The table of messages, compiled into the program. A row is its key on a line, and below it, indented by two, a line
/// a language: `en: Put the card on the reader.` A line that is indented further continues the one above it. `sl two:`
/// is for the counts that have the form `two` in the language's row `plural`; the line without a form is for all
/// others. The table itself has English and Italian; each other language is a translation with rows of the same keys.
struct MessageTable: Sendable {
  static let shared = MessageTable(TableLines(messages_table()))

  /// The translations by language, read when the first text of one is wanted.
  private static let translations = Dictionary(
    uniqueKeysWithValues: embedded.map {
      (String(cString: $0.language), MessageTable(TableLines($0)))
    })

  private static var embedded: [messages] {
    (0..<messages_translation_count()).map(messages_translation)
  }

  /// The table from below each key on. Lines are read and texts decoded on demand, because a run shows few of hundreds.
  private let rows: [TableLines.Line: TableLines]

  init(_ table: TableLines) {
    var lines = table
    var rows = [TableLines.Line: TableLines](minimumCapacity: 2048)
    while let line = lines.next() {
      if !line.isIndented { rows[line] = lines }
    }
    self.rows = rows
  }

  func has(_ key: String) -> Bool { row(key) != nil }

  func keys(beginning prefix: String) -> [String] {
    rows.keys.compactMap { key in key.text(after: prefix).map { prefix + $0 } }
  }

  /// The text in a language, in the form of its count; a row that is not translated yet has its English text.
  func text(of key: String, in language: Language, count: Int? = nil) -> String? {
    guard let row = row(key) else { return nil }
    return Self.text(in: language, count, row)
      ?? Self.translations[language.rawValue]?.row(key).flatMap {
        Self.text(in: language, count, $0)
      }
      ?? Self.text(in: .english, count, row)
  }

  private static func text(in language: Language, _ count: Int?, _ row: TableLines) -> String? {
    let counted = count.flatMap(language.form).flatMap { form in
      text("  \(language.rawValue) \(form): ", in: row)
    }
    return counted ?? text("  \(language.rawValue): ", in: row)
  }

  /// The codes of all languages, those of the table first.
  static var languages: [String] {
    let own = shared.row("language")?.prefix { $0.isIndented }.compactMap { line in
      line.text(after: "  ").map { String($0.prefix { $0 != ":" }) }
    }
    return (own ?? []) + embedded.map { String(cString: $0.language) }
  }

  private func row(_ key: String) -> TableLines? {
    var key = key
    return key.withUTF8 { rows[TableLines.Line(UnsafeRawBufferPointer($0))] }
  }

  private static func text(_ head: String, in row: TableLines) -> String? {
    var lines = row
    while let line = lines.next(), line.isIndented {
      guard let first = line.text(after: head) else { continue }
      var text = first
      while let more = lines.next()?.text(after: "    ") { text += " " + more.drop { $0 == " " } }
      return text
    }
    return nil
  }
}
