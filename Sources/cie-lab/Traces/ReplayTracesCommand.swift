import ArgumentParser
import CIECard
import Traces
import Foundation

/// `cie-lab replay-traces`: every recorded conversation once more, with the program as it was built.
struct ReplayTracesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay-traces",
    abstract: "Replay traces: each must end as its header says, and be used to its end.")

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
    guard findings.isEmpty, count > 0 else { throw ExitCode(1) }
    print("\(count) traces replayed, \(seen.count) kinds")
  }
}
