import Glibc
import TestSupport
import Testing
import VirtualCIE

/// The memory of the program is unreadable: for another program of the same user, in a core dump, and in the swap
/// space.
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

  /// The certificate is read with a PIN that is forgotten: the card answers VERIFY, and then pauses.
  @Test(
    .enabled(
      if: geteuid() == 0 || getenv("CI") != nil, "only root reads the memory of the program"),
    arguments: ["cert", "sign"])
  func `after VERIFY no locked memory holds the PIN`(_ command: String) throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let letter = try directory.write("letter", [1])
    let pin = try directory.write("pin", [UInt8](persona.pin.utf8))
    chmod(pin, 0o600)
    let script = Repository.path("Tests/CIEReadTests/Support/locked-memory.py")
    let result = try BuiltBinary(path: "/usr/bin/python3").run(
      [script, persona.pin, BuiltBinary("cie-read").path, command]
        + (command == "sign" ? ["--in", letter, "--json"] : []) + [
          "--virtual", persona.identifier, "--pin-file", pin, "--fault",
        ], timeLimit: .seconds(300))
    // While the card processes VERIFY the PIN is there, and during the next command it is gone.
    #expect(result.output == "verify: yes\nafterwards: no\n", "\(result.errors)")
  }

  /// The environment of a host with elevated rights must not decide on the module's log file and its anchors.
  @Test(
    .enabled(
      if: geteuid() == 0 || getenv("CI") != nil, "only root gives a file capabilities"))
  func `a host with capabilities ignores the environment`() throws {
    let directory = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/bin/bash").run([
      Repository.path("Tests/CIEReadTests/Support/file-capabilities.sh"),
      BuiltBinary("libcie-pkcs11.so").path, directory.path(""),
    ])
    #expect(result.output == "plain log\ncapable none\n", "\(result.errors)")
  }
}
