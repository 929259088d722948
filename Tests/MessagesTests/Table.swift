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

  private init() throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: Repository.path(Self.folder)) {
      try read(file)
    }
  }

  private mutating func read(_ file: String) throws {
    let text = try String(
      contentsOf: Repository.url("\(Self.folder)/\(file)"), encoding: .utf8)
    var (key, head) = ("", "")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if !line.hasPrefix(" ") {
        key = String(line)
        if rows.updateValue([:], forKey: key) != nil { complaints.append("\(key) is there twice") }
      } else if line.hasPrefix("      ") {
        rows[key]?[head]? += " " + line.drop { $0 == " " }
      } else if let match = line.wholeMatch(of: #/\ \ ([a-z]+(?:\ [a-z]+)?):\ (\S.*\S|\S)/#) {
        head = String(match.1)
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
