import Primitives
package import Traces

/// A trace that has no file: recording its scenario gives the same bytes each time, which their hash proves.
package struct MadeTrace {
  package static let list = "made.txt"
  package let scenario: Scenario
  let hash: String

  package struct OtherBytes: Error, CustomStringConvertible {
    package let description = "recorded now, it is another trace"
  }

  /// Records it, and replays what was recorded.
  package func entry() throws -> TraceFolder.Entry {
    let trace = try scenario.record()
    guard try Self.hash(of: trace) == hash else { throw OtherBytes() }
    return .init(section: scenario.section, name: scenario.name, trace: trace)
  }

  /// The line of the list for a scenario's trace.
  package static func line(_ scenario: Scenario, _ trace: Trace) throws -> String {
    "\(scenario.path) \(try hash(of: trace))"
  }

  private static func hash(of trace: Trace) throws -> String {
    try HashAlgorithm.sha256.hash([UInt8](trace.text.utf8)).prefix(8).map { $0 }.hexadecimal
  }
}
