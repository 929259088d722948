import Foundation

/// A table in a document of the repository, made and compared by a test, between two marks with its name.
///
/// To accept a new one, delete the lines between the marks and run the test twice: the first run writes them and fails.
/// Read the difference: a worse outcome is a defect, not a new table.
public struct PinnedTable: Sendable {
  private let pinned: [String]
  private let file: URL
  private let before: String
  private let after: String

  /// The document does not have both marks, each once.
  public struct Malformed: Error {}

  private init(named name: String, in path: String) throws {
    file = Repository.url(path)
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "<!-- \(name): begin -->\n")
    guard parts.count == 2 else { throw Malformed() }
    let rest = parts[1].components(separatedBy: "<!-- \(name): end -->\n")
    guard rest.count == 2 else { throw Malformed() }
    before = parts[0] + "<!-- \(name): begin -->\n"
    after = "<!-- \(name): end -->\n" + rest[1]
    pinned = rest[0].split(separator: "\n").map(String.init)
  }

  /// Compares a table with the one in a document, and writes it where there is none.
  ///
  /// - Returns: the lines that differ, with `-` for those of the document.
  public static func changes(
    of name: String, in path: String, _ heading: [String], _ rows: [[String]]
  ) throws -> [String] {
    let lines = ([heading, heading.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }
    let table = try PinnedTable(named: name, in: path)
    guard !table.pinned.isEmpty else {
      try (table.before + lines.map { $0 + "\n" }.joined() + table.after)
        .write(to: table.file, atomically: true, encoding: .utf8)
      return ["the table was written: read it and commit it"]
    }
    return lines.difference(from: table.pinned).map { change in
      switch change {
      case .insert(_, let line, _): "+ " + line
      case .remove(_, let line, _): "- " + line
      }
    }
  }
}
