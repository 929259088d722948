import TestSupport
import Testing

/// The script that holds the lines which the compiler does not.
@Suite struct BoundariesTests {
  private let script = BuiltBinary(path: Repository.path("tools/check-boundaries"))

  @Test func repositoryKeepsThem() throws {
    let result = try script.run([Repository.path("")])
    #expect(result.output == "")
    #expect(result.exitStatus == 0)
  }

  @Test func everyPlantedViolationIsFound() throws {
    let result = try script.run(["--self-test"])
    #expect(result.output == "every planted violation was found\n")
    #expect(result.exitStatus == 0)
  }
}
