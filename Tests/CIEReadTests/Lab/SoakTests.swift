import TestSupport
import Testing

/// The short form of `tools/lab soak`.
@Suite struct SoakTests {
  @Test func `a short soak finds no broken rule`() throws {
    let result = try BuiltBinary("cie-lab").run(["soak", "--seconds", "5"])
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.output.hasSuffix(" journeys, nothing happened that must not\n"))
  }
}
