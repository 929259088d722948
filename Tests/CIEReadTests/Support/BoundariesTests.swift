import TestSupport
import Testing

/// The scripts that check rules which the compiler does not.
@Suite struct BoundariesTests {
  @Test(arguments: ["check-boundaries", "check-rooms"])
  func `the repository keeps its boundaries`(_ script: String) throws {
    let result = try BuiltBinary(path: Repository.path("tools/\(script)")).run([
      Repository.path("")
    ])
    #expect(result.output == "")
    #expect(result.exitStatus == 0)
  }

  @Test(arguments: ["check-boundaries", "check-rooms"])
  func `every planted violation is found`(_ script: String) throws {
    let result = try BuiltBinary(path: Repository.path("tools/\(script)")).run(["--self-test"])
    #expect(result.output.hasSuffix("every planted violation was found\n"))
    #expect(result.exitStatus == 0)
  }
}
