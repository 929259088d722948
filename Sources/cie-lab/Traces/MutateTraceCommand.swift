import ArgumentParser
import CIECard
import Foundation

/// `cie-lab mutate-trace`: an attack made of a good trace, by one change.
struct MutateTraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate-trace",
    abstract: "Make an attack trace of a good one: one change, then the end.")

  @Argument(help: "The good trace.")
  var input: String

  @Option(help: "The exchange whose answer is changed, counted from 1.")
  var exchange: Int

  @Option(help: "flip=BYTE (from 1, negative from the end), strip, cut=LENGTH or duplicate.")
  var change: TraceMutation

  @Option(help: "How the journey must then end: the error's name, or \"NAME at STEP\".")
  var expect: String

  @Option(help: "One line that says what the attack is.")
  var title: String

  @Option(name: .shortAndLong, help: "Where to write it; standard output when absent.")
  var output: String?

  func run() throws {
    let good = try Trace(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: input))))
    let name = URL(fileURLWithPath: input).lastPathComponent
    var header = good.header
    header.title = title
    header.provenance = "\(name), changed by mutate-trace; \(good.header.provenance)"
    header.fault = "\(change)@\(exchange)"
    header.expectation = Trace.Expectation(try outcome())
    let bad = Trace(
      header: header, entries: try change.apply(to: good.entries, exchange: exchange))
    // What is written must be readable again: titles and the like come from the command line.
    let text = [UInt8](bad.text.utf8)
    guard try Trace(parsing: text) == bad else {
      throw ValidationError("the result is not a canonical trace")
    }
    if let output {
      try Data(text).write(to: URL(fileURLWithPath: output))
    } else {
      FileHandle.standardOutput.write(Data(text))
    }
  }

  private func outcome() throws -> Trace.Expectation.Outcome {
    guard let outcome = Trace.Expectation.Outcome(text: expect), outcome != .ok else {
      throw ValidationError("--expect wants an error's name, or \"NAME at STEP\"")
    }
    return outcome
  }
}

extension TraceMutation: ExpressibleByArgument {
  init?(argument: String) { self.init(text: argument) }
}
