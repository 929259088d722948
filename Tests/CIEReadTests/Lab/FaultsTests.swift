import TestSupport
import Testing

/// The shortest form of `tools/lab faults`; `tools/lab assurance` runs more of it.
@Suite struct FaultsTests {
  @Test func `a fault at any command breaks no promise`() throws {
    let result = try BuiltBinary("cie-lab").run(["faults", "--every", "401", "--first", "17"])
    #expect(result.exitStatus == 0, "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix(" tried, 0 broke a promise\n"))
  }
}
