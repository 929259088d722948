import CIECard
package import Foundation
package import Traces

/// A folder of traces: files in `virtual/`, `attack/`, `option/`, `spec/`, and `made.txt` with the hashes of those that have
/// no file.
package struct TraceFolder {
  /// The readable traces, with their paths below the folder.
  package private(set) var traces: [Entry] = []
  /// The traces without a file.
  package private(set) var made: [MadeTrace] = []
  /// The unreadable files, each with the reason.
  package private(set) var findings: [String] = []

  package struct Entry {
    package let section: Section
    package let name: String
    package let trace: Trace
    package var path: String { "\(section.rawValue)/\(name).trace" }

    package init(section: Section, name: String, trace: Trace) {
      (self.section, self.name, self.trace) = (section, name, trace)
    }
  }

  package enum Section: String, CaseIterable, Sendable {
    case virtual
    case attack
    case option
    case spec
  }

  package init(_ root: URL) throws {
    for section in Section.allCases {
      let folder = root.appendingPathComponent(section.rawValue)
      for file in try Self.visibleFiles(in: folder) where file.lastPathComponent != "README.md" {
        read(file, in: section)
      }
    }
    let list = root.appendingPathComponent(MadeTrace.list)
    let lines = (try? String(contentsOf: list, encoding: .utf8))?.split(separator: "\n") ?? []
    let scenarios = try Dictionary(uniqueKeysWithValues: Scenario.all().map { ($0.path, $0) })
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2, let scenario = scenarios[words[0]] {
        made.append(MadeTrace(scenario: scenario, hash: words[1]))
      } else {
        findings.append("\(MadeTrace.list): no scenario makes \(line)")
      }
    }
  }

  private mutating func read(_ file: URL, in section: Section) {
    let path = "\(section.rawValue)/\(file.lastPathComponent)"
    guard file.pathExtension == "trace" else {
      findings.append("\(path): not a trace")
      return
    }
    do {
      let trace = try Trace(parsing: [UInt8](Data(contentsOf: file)))
      traces.append(
        Entry(
          section: section, name: file.deletingPathExtension().lastPathComponent, trace: trace))
    } catch let error as TraceError {
      findings.append("\(path):\(error.line): \(error.kind)")
    } catch {
      findings.append("\(path): \(error.localizedDescription)")
    }
  }

  /// A missing folder is an empty one: git keeps no empty folders.
  private static func visibleFiles(in folder: URL) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default
      .contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
      )
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
