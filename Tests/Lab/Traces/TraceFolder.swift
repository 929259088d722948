import CIECard
import Foundation
import Traces

/// A folder of traces on disk: `virtual/`, `attack/`, `option/`, `spec/`.
struct TraceFolder {
  /// The readable traces, with their paths below the folder.
  private(set) var traces: [Entry] = []
  /// The unreadable files, each with the reason.
  private(set) var findings: [String] = []

  struct Entry {
    let section: Section
    let name: String
    let trace: Trace
    var path: String { "\(section.rawValue)/\(name).trace" }
  }

  enum Section: String, CaseIterable {
    case virtual
    case attack
    case option
    case spec
  }

  init(_ root: URL) throws {
    for section in Section.allCases {
      let folder = root.appendingPathComponent(section.rawValue)
      for file in try Self.visibleFiles(in: folder) where file.lastPathComponent != "README.md" {
        read(file, in: section)
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
