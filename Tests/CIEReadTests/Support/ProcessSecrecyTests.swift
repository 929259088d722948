import TestSupport
import Testing

/// Nobody reads the memory of the program: neither another program of the same user, nor a core dump, nor the swap space.
@Suite struct ProcessSecrecyTests {
  @Test func `the memory of the process is private`() throws {
    let directory = try TemporaryDirectory()
    let script = Repository.path("Tests/CIEReadTests/Support/process-secrecy.sh")
    let result = try BuiltBinary(path: "/bin/bash").run(
      [script, BuiltBinary("cie-read").path, directory.path("")])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3, "\(result.output) \(result.errors)")
    #expect(lines.contains { $0.hasPrefix("locked ") && $0 != "locked 0 kB" })
    #expect(lines.contains("core 0 0"))
    #expect(lines.contains("environment private"))
  }
}
