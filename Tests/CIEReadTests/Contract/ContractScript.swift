import Foundation
import TestSupport

/// A script of the contract: a run of `cie-read`, and below it the result in English and Italian.
///
///     # What it is about.
///     $ cie-read pin verify --virtual
///     input: 27182819
///
///     == en it
///     -- stdout
///     …
///     -- exit 7
///
/// Above the first `==`:
///
/// | line | meaning |
/// |---|---|
/// | `$ cie-read WORDS` | the command line; a word in `'…'` may contain blanks |
/// | `before: WORDS` | a command line that is run first, and must succeed |
/// | `environment: NAME=VALUE` | a variable |
/// | `input: TEXT` | a line of standard input |
/// | `file: NAME TEXT` | a file with this line, readable by its owner only |
/// | `types: TEXT` | at a terminal: the person's answer to the next question |
/// | `signal: INT` | at a terminal: a signal in place of an answer |
/// | `output: PATH` | standard output is this file |
/// | `reader: empty`, `busy`, PERSONA | beside a real pcscd, without a card, with one that another program holds, with this one |
/// | `sandbox: FAULT` | with the identity provider of the sandbox; `-` for no fault |
///
/// `{folder}`, `{repository}`, `{trust}` (a folder with the CSCAs of `gemalto`, and of the document of `gemalto2`), `{module}` (this program's), `{service}`, `{environment}`,
/// `{link}`, `{description}` and `{password}` (those of the sandbox) stand for values that differ in every run.
struct ContractScript: Sendable, CustomStringConvertible {
  enum Step: Sendable {
    case types(String)
    case signal(String)
  }

  let name: String
  /// The lines above the first `==`, unchanged.
  let head: String
  /// The file from the first `==`; empty before the first run.
  let expected: String
  private(set) var command: [String] = []
  private(set) var before: [[String]] = []
  private(set) var environment: [String: String] = [:]
  private(set) var input = ""
  private(set) var files: [(name: String, text: String)] = []
  private(set) var steps: [Step] = []
  private(set) var output: String?
  private(set) var reader: String?
  private(set) var sandbox: String?

  var description: String { name }

  /// A line without meaning, in the named script.
  struct Malformed: Error { let name: String, line: String }

  init(_ file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = text.range(of: "\n== ").map { text.index(after: $0.lowerBound) } ?? text.endIndex
    expected = String(text[start...])
    let above = text[..<start].split(separator: "\n", omittingEmptySubsequences: true)
    head = above.map { $0 + "\n" }.joined() + "\n"
    for line in above where !line.hasPrefix("#") { try read(String(line)) }
    guard !command.isEmpty else { throw Malformed(name: name, line: "$ cie-read is missing") }
  }

  /// All of them, sorted by name.
  static func all() throws -> [ContractScript] {
    try Repository.files(in: "Tests/CIEReadTests/Contract/Scripts", ending: ".txt").map(Self.init)
  }

  private mutating func read(_ line: String) throws {
    let malformed = Malformed(name: name, line: line)
    if line.hasPrefix("$ cie-read"), command.isEmpty {
      command = Self.words(String(line.dropFirst(2)))
      return
    }
    guard let colon = line.firstRange(of: ": ") else { throw malformed }
    let value = String(line[colon.upperBound...])
    switch line[..<colon.lowerBound] {
    case "before": before.append(Self.words(value))
    case "environment":
      let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw malformed }
      environment[String(parts[0])] = String(parts[1])
    case "input": input += value + "\n"
    case "file":
      let parts = value.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { throw malformed }
      files.append((String(parts[0]), parts[1] + "\n"))
    case "types": steps.append(.types(value))
    case "signal": steps.append(.signal(value))
    case "output": output = value
    case "reader": reader = value
    case "sandbox": sandbox = value
    default: throw malformed
    }
  }

  private static func words(_ text: String) -> [String] {
    // Every second part stands between quotation marks.
    text.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      number, part in
      number % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  /// The exit codes of both languages.
  var exitCodes: Set<Int> {
    Set(
      expected.split(separator: "\n").filter { $0.hasPrefix("-- exit ") }
        .compactMap { Int($0.dropFirst(8)) })
  }

  /// Input of a person or a script that must never be shown.
  var secrets: [String] {
    let typed = steps.compactMap { if case .types(let text) = $0 { text } else { nil } }
    return (typed + input.split(separator: "\n").map(String.init)).filter {
      $0.wholeMatch(of: /\d{8}/) != nil
    }
  }
}
