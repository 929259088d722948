import CIECard
import Foundation
import Traces
import VirtualCIE

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

/// The required contents of the folder of traces, and the personas whose data it may contain.
struct TraceCatalogue {
  /// The invented citizens of the software card.
  let personas: [Citizen]
  /// The faults that the software card can show in a recorded journey, without values.
  let faults: [String]
  /// The options of the software card, each with the values that a trace must show.
  let options: [String]

  /// The data of a persona that a trace may contain.
  struct Citizen {
    let identifier: String
    let servicesNumber: String
    let documentNumber: String
    let fiscalCode: String
  }

  /// The personas and faults of the built software card.
  static let current = TraceCatalogue(
    personas: Persona.all.map {
      Citizen(
        identifier: $0.identifier, servicesNumber: $0.nis, documentNumber: $0.documentNumber,
        fiscalCode: $0.fiscalCode)
    },
    faults: FaultPlan.generalFaultNames.map { name in String(name.prefix { $0 != "[" && $0 != "=" })
    },
    options: CardOptions.examples)
}
