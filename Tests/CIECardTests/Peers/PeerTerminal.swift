import Foundation
import TestSupport
import Testing

/// The terminal of `Tests/Peers/pace_terminal.py`, whose cryptography is OpenPACE's.
struct PeerTerminal {
  /// Its report on one opened card.
  struct Reading: Decodable {
    let combination: String
    /// Hexadecimal, capital letters.
    let cardAccess: String
    let files: [String: FileSummary]
  }

  /// Runs it to its end.
  ///
  /// - Returns: one reading for each combination, or one for the card's announcement.
  static func readings(
    password: String, files: [String] = [], _ options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Reading] {
    let result = try run(password: password, files: files, options)
    try #require(result.exitStatus == 0, "\(result.errors)", sourceLocation: sourceLocation)
    return try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Reading.self, from: Data($0.utf8))
    }
  }

  /// Runs it to its end, with success or failure.
  ///
  /// - Parameters:
  ///   - password: an option and its value, e.g. `--can=123456`.
  ///   - files: identifiers in the travel document's application, four digits each.
  static func run(
    password: String, files: [String] = [], _ options: [String] = []
  ) throws -> ProcessResult {
    try BuiltBinary(path: "/usr/bin/python3").run(
      [Repository.path("Tests/Peers/pace_terminal.py"), password] + options
        + files.flatMap { ["--file", $0] })
  }
}
