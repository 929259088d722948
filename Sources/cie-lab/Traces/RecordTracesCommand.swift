import ArgumentParser
import CIECard
import Foundation
import Traces

/// `cie-lab record-traces`: makes the traces of the software card, or tells which are not as they would be made.
struct RecordTracesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record-traces",
    abstract: "Record the software card's traces; read what changed before you commit it.")

  @Argument(help: "The folder with virtual/ and attack/.")
  var folder = "CardTraces"

  @Flag(help: "Write nothing; list the traces that are missing, different or no longer made.")
  var check = false

  func run() throws {
    let root = URL(fileURLWithPath: folder)
    let scenarios = try Scenario.all()
    var changed: [String] = []
    for scenario in scenarios {
      let file = root.appendingPathComponent(scenario.path)
      let text = Data(try scenario.record().text.utf8)
      guard (try? Data(contentsOf: file)) != text else { continue }
      changed.append(scenario.path)
      guard !check else { continue }
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file)
    }
    let made = Set(scenarios.map(\.path))
    for entry in try TraceFolder(root).traces
    where entry.section != .spec && !made.contains(entry.path) {
      changed.append(entry.path)
      if !check { try FileManager.default.removeItem(at: root.appendingPathComponent(entry.path)) }
    }
    for path in changed { print(path) }
    if !changed.isEmpty, check { throw ExitCode(1) }
  }
}
