import Foundation
import TestSupport

/// The table of messages in its files, read independently of the product's reader.
struct Table {
  /// By key, and in each row by language, or by language and form of the number: `en one`.
  private(set) var rows: [String: [String: String]] = [:]
  /// The errors in the form of the files.
  private(set) var complaints: [String] = []
  static let folder = "Sources/C/CMessages/tables"
  /// The rows for properties of the languages themselves.
  static let rules: Set = ["language", "plural", "date", "months", "moment", "number"]
  /// Read once for all tests.
  static let whole = Result { try Table() }

  /// One file a language, beside the English and Italian of the tables.
  static let translations = "Sources/C/CMessages/translations"

  private init() throws {
    for file in try Self.files(in: Self.folder) { try read("\(Self.folder)/\(file)") }
    let keys = Set(rows.keys)
    for file in try Self.files(in: Self.translations) {
      try read("\(Self.translations)/\(file)", of: String(file.prefix { $0 != "." }))
    }
    for key in Set(rows.keys).subtracting(keys) { complaints.append("\(key) is in no table") }
  }

  static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))
  }

  /// - Parameter translation: the language of a file that may have no other.
  private mutating func read(_ file: String, of translation: String? = nil) throws {
    let text = try String(contentsOf: Repository.url(file), encoding: .utf8)
    var keys: Set<String> = []
    var (key, head) = ("", "")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if !line.hasPrefix(" ") {
        key = String(line)
        let isTwice = !keys.insert(key).inserted || translation == nil && rows[key] != nil
        if isTwice { complaints.append("\(key) is there twice") }
        rows[key] = rows[key] ?? [:]
      } else if line.hasPrefix("      ") {
        rows[key]?[head]? += " " + line.drop { $0 == " " }
      } else if let match = line.wholeMatch(of: #/\ \ ([a-z]+(?:\ [a-z]+)?):\ (\S.*\S|\S)/#) {
        head = String(match.1)
        let language = head.prefix { $0 != " " }
        if let translation, language != translation { complaints.append("\(file): \(line)") }
        if rows[key]?.updateValue(String(match.2), forKey: head) != nil {
          complaints.append("\(key) has \(head) twice")
        }
      } else {
        complaints.append("\(file): \(line)")
      }
    }
  }

  /// The languages according to the table.
  var languages: Set<String> { Set(rows["language"].map(\.keys) ?? [:].keys) }

  /// The forms of numbers of a language beside the one for all others, each with its rule: `i % 100 = 1`.
  func forms(in language: String) -> [String: String] {
    let rules = (rows["plural"]?[language] ?? "").split(separator: ";").map {
      $0.drop { $0 == " " }.split(separator: " ", maxSplits: 1).map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: rules.map { ($0[0], $0.last ?? "") })
  }

  /// The names in braces in a text.
  static func placeholders(of text: String) -> Set<String> {
    Set(text.matches(of: /\{([a-z]+)\}/).map { String($0.1) })
  }

  /// All names in braces in a row, in any language.
  func placeholders(of key: String) -> Set<String> {
    (rows[key] ?? [:]).values.reduce(into: []) { $0.formUnion(Self.placeholders(of: $1)) }
  }

  /// A row and those derived from it: advice, details, a program's replacement.
  func family(of key: String) -> [String] {
    let names = [key, "\(key).do", "\(key).more"]
    return rows.keys.filter { row in names.contains { row == $0 || row.hasPrefix($0 + "@") } }
  }
}
