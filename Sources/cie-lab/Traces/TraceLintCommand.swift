import ArgumentParser
import Foundation

/// `cie-lab trace-lint`: the rules of a folder of traces.
struct TraceLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace-lint",
    abstract: "Check that every trace is well-formed, invented, and that none is missing.")

  @Argument(help: "The folder with virtual/, attack/ and spec/.")
  var folder = "CardTraces"

  func run() throws {
    let folder = try TraceFolder(URL(fileURLWithPath: folder))
    let lint = TraceLint(catalogue: .current, entries: folder.traces)
    for line in lint.table() { print(line) }
    let findings = folder.findings + lint.findings()
    for finding in findings {
      FileHandle.standardError.write(Data((finding + "\n").utf8))
    }
    guard findings.isEmpty else { throw ExitCode(1) }
  }
}
