import TestSupport
import Testing

/// The folder of traces as a whole, judged by the developers' tools.
@Suite struct TraceFolderTests {
  private let lab: BuiltBinary
  private let folder = Repository.path("CardTraces")

  init() throws { lab = try BuiltBinary("cie-lab") }

  @Test func isCompleteAndInvented() throws {
    let result = try lab.run(["trace-lint", folder], timeLimit: .seconds(300))
    #expect(result.errors == "")
    #expect(result.exitStatus == 0)
  }

  /// Recording again gives the same bytes; otherwise card or client have changed.
  @Test func isAsItWouldBeRecorded() throws {
    let result = try lab.run(["record-traces", "--check", folder], timeLimit: .seconds(300))
    #expect(result.output == "")
    #expect(result.exitStatus == 0)
  }
}
