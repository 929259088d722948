import Foundation
import TestSupport
import Testing

/// The public types of the libraries. Another name is another promise: it is added to the list on purpose.
@Suite struct FrontDoorTests {
  private static let list = "Tests/CIEReadTests/Support/public-names.txt"

  @Test func `the public names are those of the list`() throws {
    var found: [String] = []
    let libraries = [
      "CIECard", "DocumentSigning", "Messages", "RedirectFlow", "Pictures", "SignIn", "Traces",
      "VirtualCIE",
    ]
    for library in libraries {
      found += try names(of: library).map { "\(library) \($0)" }
    }
    let pinned = try String(contentsOf: Repository.url(Self.list), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(found.filter { !pinned.contains($0) } == [], "not in \(Self.list)")
    #expect(pinned.filter { !found.contains($0) } == [], "in \(Self.list) only")
  }

  /// Each name of ours in the tables of the article for people who know another kit: its type is in the list, its members
  /// are public in the library.
  @Test func `the article about other kits names what there is`() throws {
    let article = "Sources/SignIn/SignIn.docc/OtherKits.md"
    let pinned = try String(contentsOf: Repository.url(Self.list), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    var count = 0
    for row in try String(contentsOf: Repository.url(article), encoding: .utf8)
      .split(separator: "\n") where row.hasPrefix("| `")
    {
      let here = row.split(separator: "|").last ?? ""
      for match in here.matches(of: /`([A-Z]\w+)\.(\w+)((?:\.\w+)*)`/) {
        count += 1
        #expect(pinned.contains("\(match.output.1) \(match.output.2)"), "\(row)")
        let sources = try text(of: "Sources/\(match.output.1)")
        for member in match.output.3.split(separator: ".") {
          let kinds = "public [^\n=]*\\b(func|var|let|struct|enum|typealias) |case |  func "
          let declaration = try Regex("(\(kinds))\(member)\\b")
          let initializer = member == "init" ? sources.contains("  public init(") : false
          #expect(initializer || sources.contains(declaration), "\(member) in \(row)")
        }
      }
    }
    #expect(count > 40)
  }

  /// All Swift of a folder.
  private func text(of folder: String) throws -> String {
    let url = Repository.url(folder)
    let paths = try #require(FileManager.default.enumerator(atPath: url.path))
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8) }
      .joined(separator: "\n")
  }

  /// The types that a library declares as public, not within another, or exports from a module below it, sorted.
  private func names(of library: String) throws -> [String] {
    let declaration =
      /^public (?:final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    let export = /^@_exported public import (\w+)/
    let folder = Repository.url("Sources/\(library)")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    var names: [String] = []
    for case let path as String in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      for line in text.split(separator: "\n") {
        if let match = line.firstMatch(of: declaration) { names.append(String(match.output.1)) }
        if let match = line.firstMatch(of: export) {
          names += try self.names(of: String(match.output.1))
        }
      }
    }
    return names.sorted()
  }
}
