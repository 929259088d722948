import CZLib
import Foundation

/// A suite of vectors that a stranger made, as one of the `make-*.py` of `Tests/Vectors` wrote it down.
///
/// The repository has a part of each; with `CIE_SUITES`, the name of a folder, the same tests judge the whole suites there
/// (`tools/test suites`).
public struct Suite: Sendable {
  /// The source of the vectors, with its commit or version, and its licence.
  public let source: String
  /// The vectors, in the order of the source.
  public let groups: [Group]

  /// Vectors that share a key, an algorithm or both.
  public struct Group: Decodable, Sendable {
    /// The file of the source.
    public let file: String
    /// The operation, in the words of the test that judges it.
    public let kind: String
    /// The common key; its form depends on the operation.
    public let key: HexBytes?
    /// The hash function, in the spelling of `HashAlgorithm`; that of the mask; the salt's length.
    public let hash: String?
    /// The hash function of the mask (RFC 8017 §B.2.1).
    public let mask: String?
    /// The length of the salt in bytes (RFC 8017 §9.1).
    public let salt: Int?
    /// The time of the judgement, in seconds of POSIX.
    public let time: Int?
    /// The elliptic curve.
    public let curve: String?
    /// The vectors.
    public let cases: [Case]
  }

  /// One vector: `[name, expected, values…]`.
  public struct Case: Decodable, Sendable {
    /// The number and comment of the source.
    public let name: String
    /// The verdict of the source.
    public let expected: Expected
    /// The values, in the order of the operation.
    public let values: [[UInt8]]

    /// Decodes the list.
    public init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try list.decode(String.self)
      expected = try list.decode(Expected.self)
      var values: [[UInt8]] = []
      while !list.isAtEnd { values.append(try list.decode(HexBytes.self).bytes) }
      self.values = values
    }
  }

  /// A file of `suite_file.py`.
  private struct File: Decodable {
    let source: String
    let length: Int
    let deflated: [String]

    func inflated() throws -> [UInt8] {
      let input = [UInt8](Data(base64Encoded: deflated.joined()) ?? Data())
      var output = [UInt8](repeating: 0, count: length)
      var written = uLong(length)
      guard uncompress(&output, &written, input, uLong(input.count)) == Z_OK, written == length
      else { throw RepositoryError.noFiles(folder: "a suite", suffix: "deflated") }
      return output
    }
  }

  /// The verdict of a suite on one of its vectors.
  public enum Expected: String, Decodable, Sendable {
    /// To be accepted, to be refused, left to the program.
    case valid, invalid, acceptable
  }

  /// The folder of the whole suites; nil to judge the part in the repository.
  public static let whole = ProcessInfo.processInfo.environment["CIE_SUITES"]

  /// Reads a suite by the name of its file, without `.json`.
  ///
  /// - Throws: also if it holds no vector: an empty suite must not pass as a test.
  public init(named name: String) throws {
    let folder = Self.whole.map { URL(fileURLWithPath: $0) } ?? Repository.url("Tests/Vectors")
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    let file = try JSONDecoder().decode(File.self, from: data)
    source = file.source
    groups = try JSONDecoder().decode([Group].self, from: Data(file.inflated()))
    guard groups.contains(where: { !$0.cases.isEmpty }) else {
      throw RepositoryError.noFiles(folder: folder.path, suffix: name)
    }
  }
}

/// The verdicts of this program on a suite, counted.
public struct SuiteScore: Sendable {
  /// The verdict of the program on one vector.
  public enum Verdict: Sendable, Hashable, CustomStringConvertible {
    /// The vector is what it claims to be; it is disproved; neither, with the reason.
    case accepted, refused, undecided(String)

    /// The word in a score.
    public var description: String {
      switch self {
      case .accepted: "accepted"
      case .refused: "refused"
      case .undecided(let reason): reason
      }
    }
  }

  /// The number of vectors with each pair of verdicts, such as "valid accepted".
  public private(set) var counts: [String: Int] = [:]
  /// The vectors that were valid but not accepted, or invalid but accepted: their names by file, by their pair of verdicts.
  public private(set) var deviations: [String: [String: [String]]] = [:]
  /// The files of the deviations by their pair of verdicts.
  public var deviatingFiles: [String: Set<String>] { deviations.mapValues { Set($0.keys) } }

  /// Judges every vector of a suite.
  ///
  /// - Parameter judge: makes the judge of a group's vectors.
  public init(
    of name: String, _ judge: (Suite.Group) throws -> (Suite.Case) throws -> Verdict
  ) throws {
    for group in try Suite(named: name).groups {
      let verdict = try judge(group)
      for vector in group.cases {
        add(vector.expected, try verdict(vector), group.file, vector.name)
      }
    }
    let rows = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("score: \(name): \(rows.joined(separator: ", "))")
  }

  private mutating func add(
    _ expected: Suite.Expected, _ verdict: Verdict, _ file: String, _ name: String
  ) {
    let pair = "\(expected.rawValue) \(verdict)"
    counts[pair, default: 0] += 1
    let isRight =
      switch expected {
      case .valid: verdict == .accepted
      case .invalid: verdict != .accepted
      case .acceptable: true
      }
    if !isRight { deviations[pair, default: [:]][file, default: []].append(name) }
  }
}
