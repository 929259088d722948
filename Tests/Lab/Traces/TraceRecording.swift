import Arguments
import CIECard
import Foundation
import Traces
import VirtualCIE

/// `cie-lab record-traces`: makes the traces of the software card, or reports those that differ from a new recording.
struct RecordTracesCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "record-traces", "Record the software card's traces; read what changed before you commit it.")

  @Argument(help: "The folder with virtual/ and attack/.")
  var folder = "CardTraces"

  @Flag(help: "Write nothing; list the traces that are missing, different or no longer made.")
  var check = false

  func run() throws {
    let root = URL(fileURLWithPath: folder)
    let scenarios = try Scenario.all()
    var changed: [String] = []
    var entries: [TraceFolder.Entry] = []
    for scenario in scenarios {
      let trace = try scenario.record()
      entries.append(.init(section: scenario.section, name: scenario.name, trace: trace))
      if try keep(Data(trace.text.utf8), at: root.appendingPathComponent(scenario.path)) {
        changed.append(scenario.path)
      }
    }
    let made = Set(scenarios.map(\.path))
    for entry in try TraceFolder(root).traces
    where entry.section != .spec && !made.contains(entry.path) {
      changed.append(entry.path)
      if !check { try FileManager.default.removeItem(at: root.appendingPathComponent(entry.path)) }
    }
    let table = Data(AttackTable.text(entries.sorted { $0.name < $1.name }).utf8)
    if try keep(table, at: root.appendingPathComponent(Self.tablePath)) {
      changed.append(Self.tablePath)
    }
    for path in changed { print(path) }
    if !changed.isEmpty, check { throw LabError.found }
  }

  private static let tablePath = "attack/README.md"

  /// Writes a file, unless only a check is wanted.
  ///
  /// - Returns: true if it was another.
  private func keep(_ contents: Data, at file: URL) throws -> Bool {
    guard (try? Data(contentsOf: file)) != contents else { return false }
    guard !check else { return true }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
    return true
  }
}

/// `cie-lab replay-traces`: replays every recorded conversation with the built program.
struct ReplayTracesCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "replay-traces", "Replay traces: each must end as its header says, and be used to its end.")

  @Option(help: "The folder with virtual/, attack/ and spec/.")
  var folder = "CardTraces"

  @Flag(help: "Only one trace of every journey and section, for tools that make the program slow.")
  var oneOfEach = false

  func run() throws {
    let folder = try TraceFolder(URL(fileURLWithPath: folder))
    var seen: Set<String> = []
    var count = 0
    var findings = folder.findings
    for entry in folder.traces {
      let kind = "\(entry.section.rawValue) \(entry.trace.header.journey.name)"
      guard seen.insert(kind).inserted || !oneOfEach else { continue }
      count += 1
      do {
        if try TraceRecording.replays(entry.trace) { continue }
        findings.append("\(entry.path): ends otherwise than its header says")
      } catch {
        findings.append("\(entry.path): \(error)")
      }
    }
    for finding in findings { FileHandle.standardError.write(Data((finding + "\n").utf8)) }
    // An empty folder must not pass as a test.
    guard findings.isEmpty, count > 0 else { throw LabError.found }
    print("\(count) traces replayed, \(seen.count) kinds")
  }
}
