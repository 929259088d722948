import Arguments
import CIECard
import Foundation
import TraceScenarios
import Traces
import VirtualCIE

/// `cie-lab record-traces`: makes the traces of the software card, or reports those that differ from a new recording.
struct RecordTracesCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "record-traces", "Record the software card's traces; read what changed before you commit it.")

  @Argument(help: "The folder with virtual/, attack/ and made.txt.")
  var folder = "CardTraces"

  @Flag(help: "Write nothing; list the traces that are missing, different or no longer made.")
  var check = false

  @Flag(
    help:
      "Write all to another folder, those without a file in CardTraces too: to read or compare them."
  )
  var all = false

  func validate() throws {
    guard !all || !check && folder != "CardTraces" else {
      throw LabError("--all writes to another folder than CardTraces")
    }
  }

  func run() throws {
    let root = URL(fileURLWithPath: folder)
    let listed = try? String(
      contentsOf: root.appendingPathComponent(MadeTrace.list), encoding: .utf8)
    let old = Set(listed?.split(separator: "\n").map(String.init) ?? [])
    var changed: [String] = []
    var files: Set<String> = []
    var hashes: [String] = []
    var entries: [TraceFolder.Entry] = []
    for scenario in try Scenario.all() {
      let trace = try scenario.record()
      entries.append(.init(section: scenario.section, name: scenario.name, trace: trace))
      if scenario.isStored || all {
        files.insert(scenario.path)
        if try keep(trace.text, at: root.appendingPathComponent(scenario.path)) {
          changed.append(scenario.path)
        }
      } else {
        hashes.append(try MadeTrace.line(scenario, trace))
        if !old.contains(hashes[hashes.endIndex - 1]) { changed.append(scenario.path) }
      }
    }
    for entry in try TraceFolder(root).traces
    where entry.section != .spec && !files.contains(entry.path) {
      changed.append(entry.path)
      if !check { try FileManager.default.removeItem(at: root.appendingPathComponent(entry.path)) }
    }
    let table = AttackTable.text(
      entries.sorted { $0.name < $1.name }, hasFile: { files.contains($0.path) })
    for (path, text) in [(Self.tablePath, table), (MadeTrace.list, Self.list(hashes))]
    where try keep(text, at: root.appendingPathComponent(path)) { changed.append(path) }
    for path in changed { print(path) }
    if !changed.isEmpty, check { throw LabError.found }
  }

  private static func list(_ lines: [String]) -> String {
    lines.sorted().map { $0 + "\n" }.joined()
  }

  private static let tablePath = "attack/README.md"

  /// Writes a file, unless only a check is wanted.
  ///
  /// - Returns: true if it was another.
  private func keep(_ text: String, at file: URL) throws -> Bool {
    let contents = Data(text.utf8)
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

  @Option(help: "The folder with virtual/, attack/, spec/ and made.txt.")
  var folder = "CardTraces"

  @Flag(help: "Only one trace of every journey and section, for tools that make the program slow.")
  var oneOfEach = false

  func run() throws {
    let folder = try TraceFolder(URL(fileURLWithPath: folder))
    var seen: Set<String> = []
    var count = 0
    var findings = folder.findings
    func replay(_ path: String, _ kind: String, _ ends: () throws -> Bool) {
      guard seen.insert(kind).inserted || !oneOfEach else { return }
      count += 1
      do {
        if try !ends() { findings.append("\(path): ends otherwise than its header says") }
      } catch {
        findings.append("\(path): \(error)")
      }
    }
    for entry in folder.traces {
      replay(entry.path, "\(entry.section.rawValue) \(entry.trace.header.journey.name)") {
        try TraceRecording.replays(entry.trace)
      }
    }
    for made in folder.made {
      let scenario = made.scenario
      replay(scenario.path, "\(scenario.section.rawValue) \(scenario.journey.name)") {
        try TraceRecording.replays(made.entry().trace)
      }
    }
    for finding in findings { FileHandle.standardError.write(Data((finding + "\n").utf8)) }
    // An empty folder must not pass as a test.
    guard findings.isEmpty, count > 0 else { throw LabError.found }
    print("\(count) traces replayed, \(seen.count) kinds")
  }
}
