import Arguments
import CIECard
import Foundation
import TraceScenarios
import Traces

/// `cie-lab mutate-trace`: an attack made of a good trace, by one change.
struct MutateTraceCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "mutate-trace", "Make an attack trace of a good one: one change.")

  @Argument(isRequired: true, help: "The good trace.")
  var input = ""

  @Option(isRequired: true, help: "The exchange whose answer is changed, counted from 1.")
  var exchange = 1

  @Option(
    isRequired: true,
    help: "flip=BYTE (from 1, negative from the end), strip, cut=LENGTH or duplicate.")
  var change = TraceMutation.strip

  @Option(
    isRequired: true, help: "How the journey must then end: ok, or \"ERROR at STEP\". It is tried.")
  var expect = ""

  @Option(isRequired: true, help: "One line that says what the attack is.")
  var title = ""

  @Option(help: "Where to write it; standard output when absent.")
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
      throw TraceMutation.Failure.endsOtherwise(expected: expect, got: end)
    }
    let text = Data(bad.text.utf8)
    if let output {
      try text.write(to: URL(fileURLWithPath: output))
    } else {
      FileHandle.standardOutput.write(text)
    }
  }
}

extension TraceMutation: ArgumentValue {
  init?(argument: String) { self.init(text: argument) }

  var argument: String { description }
}
