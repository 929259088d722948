import Glibc
import TestSupport
import Testing

/// The helper that runs binaries must itself be right: no lost output, no hang, no confused exits.
@Suite struct BuiltBinaryTests {
  private let shell = BuiltBinary(path: "/bin/sh")

  @Test func `output, errors and status are returned`() throws {
    let result = try shell.run(["-c", "cat; echo wrong >&2; exit 7"], input: [UInt8]("in".utf8))
    #expect(result.output == "in")
    #expect(result.errors == "wrong\n")
    #expect(result.exitStatus == 7)
  }

  /// More than a pipe holds, in and out at once.
  @Test func `many bytes go both ways`() throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let result = try shell.run(["-c", "cat"], input: bytes)
    #expect(result.standardOutput == bytes)
  }

  @Test func `unread input does not hang`() throws {
    let result = try shell.run(["-c", "exit 3"], input: [UInt8](repeating: 0, count: 1_000_000))
    #expect(result.exitStatus == 3)
  }

  @Test func `further descriptors are passed`() throws {
    let result = try shell.run(
      ["-c", "cat <&3; cat <&9"], descriptors: [3: [UInt8]("three".utf8), 9: [UInt8]("nine".utf8)])
    #expect(result.output == "threenine")
  }

  @Test func `variables are added to the environment`() throws {
    let result = try shell.run(
      ["-c", "echo $CIE_TEST-$LANG"], environment: ["CIE_TEST": "value"])
    #expect(result.output == "value-\n")
  }

  @Test func `an endless program is killed with its children`() throws {
    let result = try shell.run(
      ["-c", "echo started; sleep 600 & wait"], timeLimit: .milliseconds(300))
    #expect(result.end == .timedOut)
    #expect(result.output == "started\n")
    #expect(result.exitStatus == nil)
  }

  @Test func `a signal that ended a program is reported`() throws {
    let killed = try shell.run(["-c", "kill -SEGV $$"])
    #expect(killed.end == .signalled(SIGSEGV))
    let interrupted = try shell.run(
      ["-c", "trap 'exit 130' INT; echo ready >&2; while :; do sleep 0.01; done"],
      interrupt: ProcessInterrupt(when: "ready", send: SIGINT))
    #expect(interrupted.exitStatus == 130)
  }

  @Test func `a missing program is an error`() {
    #expect(throws: ProcessFailure.self) { try BuiltBinary("no-such-product") }
    #expect(throws: ProcessFailure.self) { try BuiltBinary(path: "/no/such/program").run() }
  }

  /// In CI the tests run the released configuration.
  @Test func `the programs are release builds where required`() {
    guard getenv("CI") != nil else { return }
    let folder = getenv(BuiltBinary.folderVariable).map { String(cString: $0) }
    #expect(folder == Repository.path(".build/release"))
  }

  @Test(arguments: ["cie-read", "cie-lab"]) func `the products are found`(name: String) throws {
    let result = try BuiltBinary(name).run(["--help"])
    #expect(result.exitStatus == 0)
  }
}
