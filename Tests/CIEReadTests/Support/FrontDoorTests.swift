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
