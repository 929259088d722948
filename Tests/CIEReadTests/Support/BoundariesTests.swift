import TestSupport
import Testing

/// The scripts that check rules which the compiler does not.
@Suite struct BoundariesTests {
  @Test(arguments: ["boundaries", "rooms"])
  func `the repository keeps its boundaries`(_ name: String) throws {
    let result = try BuiltBinary(path: Repository.path("tools/check")).run([
      name, Repository.path(""),
    ])
    #expect(result.output == "")
    #expect(result.exitStatus == 0)
  }

  @Test func `help is a script's first comment, and nothing is run`() throws {
    let result = try BuiltBinary(path: Repository.path("tools/make")).run(
      ["docs", "--help"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.output.hasPrefix("Builds the reference documentation of all libraries"))
    #expect(result.exitStatus == 0 && result.errors == "")
  }

  @Test(arguments: ["boundaries", "rooms"])
  func `every planted violation is found`(_ name: String) throws {
    let result = try BuiltBinary(path: Repository.path("tools/check")).run([name, "--self-test"])
    #expect(result.output.hasSuffix("every planted violation was found\n"))
    #expect(result.exitStatus == 0)
  }
}
