import Foundation
import Synchronization

/// An output in a file of the repository, as it was when a person last read it.
///
/// A test compares; `tools/make pins` runs the same tests to write the pins that differ, and names them.
public enum Pin {
  /// File for the names of renewed pins; a test run has none, and only compares.
  private static let list = ProcessInfo.processInfo.environment["CIE_RENEWED_PINS"]
  /// Two tables of one document may be renewed at once.
  private static let turn = Mutex(())

  /// Compares a text with a file, or renews the file.
  ///
  /// - Parameter path: below the repository's folder.
  /// - Returns: the lines that differ, with `-` for those of the file; none after a renewal.
  public static func changes(of path: String, to text: String) throws -> [String] {
    try turn.withLock { _ in
      try changes(
        of: path, from: try? String(contentsOf: Repository.url(path), encoding: .utf8), to: text)
    }
  }

  /// Compares a table with the one in a document, between two marks with its name, or renews it.
  ///
  /// A worse outcome in a table is a defect, not a new table.
  public static func changes(
    ofTable name: String, in path: String, _ heading: [String], _ rows: [[String]]
  ) throws -> [String] {
    let lines = ([heading, heading.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |\n" }
    let (begin, end) = ("<!-- \(name): begin -->\n", "<!-- \(name): end -->\n")
    return try turn.withLock { _ in
      let pinned = try String(contentsOf: Repository.url(path), encoding: .utf8)
      let (before, rest) = try halves(of: pinned, at: begin)
      let after = try halves(of: rest, at: end).after
      let text = before + begin + lines.joined() + end + after
      return try changes(of: path, from: pinned, to: text)
    }
  }

  /// The document does not have both marks, each once.
  struct Unmarked: Error { let mark: String }

  private static func halves(
    of text: String, at mark: String
  ) throws -> (before: String, after: String) {
    let parts = text.components(separatedBy: mark)
    guard parts.count == 2 else { throw Unmarked(mark: mark) }
    return (parts[0], parts[1])
  }

  private static func changes(
    of path: String, from pinned: String?, to text: String
  ) throws -> [String] {
    guard text != pinned else { return [] }
    guard let list else {
      return difference(text, pinned ?? "") + ["to accept it: tools/make pins"]
    }
    try text.write(to: Repository.url(path), atomically: true, encoding: .utf8)
    // One write appends, because test processes run beside each other.
    guard let stream = fopen(list, "a") else { throw CocoaError(.fileWriteUnknown) }
    fputs(path + "\n", stream)
    fclose(stream)
    return []
  }

  private static func difference(_ text: String, _ pinned: String) -> [String] {
    let (lines, old) = (text.components(separatedBy: "\n"), pinned.components(separatedBy: "\n"))
    return lines.difference(from: old).map { change in
      switch change {
      case .insert(_, let line, _): "+ " + line
      case .remove(_, let line, _): "- " + line
      }
    }
  }
}
