import ArgumentParser
import CIECard
import Foundation
import Traces

/// `cie-lab mutate-trace`: an attack made of a good trace, by one change.
struct MutateTraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate-trace",
    abstract: "Make an attack trace of a good one: one change.")

  @Argument(help: "The good trace.")
  var input: String

  @Option(help: "The exchange whose answer is changed, counted from 1.")
  var exchange: Int

  @Option(help: "flip=BYTE (from 1, negative from the end), strip, cut=LENGTH or duplicate.")
  var change: TraceMutation

  @Option(help: "How the journey must then end: ok, or \"ERROR at STEP\". It is tried.")
  var expect: String

  @Option(help: "One line that says what the attack is.")
  var title: String

  @Option(name: .shortAndLong, help: "Where to write it; standard output when absent.")
  var output: String?

  func run() throws {
    let good = try Trace(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: input))))
    var header = good.header
    header.title = title
    header.provenance =
      "\(URL(fileURLWithPath: input).lastPathComponent), changed by mutate-trace; "
      + good.header.provenance
    header.fault = "\(change)@\(exchange)"
    let bad = try change.record(header, on: good, exchange: exchange)
    let end = bad.header.expectation.outcome.text
    guard end == expect else {
      throw TraceRecording.Failure.endsOtherwise(expected: expect, got: end)
    }
    let text = Data(bad.text.utf8)
    if let output {
      try text.write(to: URL(fileURLWithPath: output))
    } else {
      FileHandle.standardOutput.write(text)
    }
  }
}

extension TraceMutation: ExpressibleByArgument {
  init?(argument: String) { self.init(text: argument) }
}
