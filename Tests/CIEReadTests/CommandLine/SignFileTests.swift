import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `sign FILE`, and unsuitable files.
@Suite struct SignFileTests {
  private let pin = Persona.gemalto.pin

  @Test func `a file to sign needs no option`() throws {
    let directory = try TemporaryDirectory()
    let letter = try directory.write("letter", [UInt8]("Caro ufficio".utf8))
    for arguments in [
      ["--virtual", letter], [letter, "--virtual"], ["--virtual", "gemalto", letter],
    ] {
      let (object, result) = try Program.json(["sign"] + arguments, input: pin)
      #expect(result.exitStatus == 0)
      let signatures = try #require(object["signatures"] as? [[String: Any]])
      #expect(signatures.count == 1 && signatures.first?["in"] as? String == letter)
    }
    let result = try Program.run(["sign", letter, "--virtual"], input: pin)
    #expect(result.exitStatus == 0)
    #expect(try directory.read("letter.sig").count == 256)
  }

  @Test(arguments: [([], "missing-option"), (["a", "--in", "b"], "input-twice")])
  func `files are named by one method only`(_ files: [String], _ name: String) throws {
    let (object, result) = try Program.json(["sign", "--virtual=gemalto"] + files, input: pin)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == name)
  }

  @Test func `sign reads a process substitution`() throws {
    let result = try BuiltBinary(path: "/bin/bash").run(
      ["-c", "\"$0\" sign --virtual --json <(printf hello)", BuiltBinary("cie-read").path],
      input: [UInt8](pin.utf8))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(
      result.output.contains(
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824".uppercased()))
  }

  /// A named pipe without a writer is waited for, until a signal comes; commands that take no pipe fail at once.
  @Test(arguments: [
    ("sign --virtual --in FIFO", 130), ("pin verify --virtual --pin-file FIFO", 130),
    ("read --virtual --mrz-file FIFO", 130), ("info --replay FIFO", 64),
    ("verify --virtual --trust FIFO", 64),
    ("login --environment FIFO --sp-url https://example.org/", 64),
    ("login --config FIFO", 64),
  ])
  func `a named pipe is waited for, or refused at once`(_ line: String, _ status: CInt) throws {
    let directory = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/bin/sh").run(
      [
        "-c",
        "mkfifo -m 600 \"$1\"; program=$2; shift 2; exec timeout -s INT --preserve-status 1 \"$program\" \"$@\"",
        "sh",
        directory.path("FIFO"), BuiltBinary("cie-read").path,
      ] + line.split(separator: " ").map { $0 == "FIFO" ? directory.path("FIFO") : String($0) })
    #expect(result.exitStatus == status, "\(result.errors)")
  }

  @Test func `a certificate as text is in the JSON object`() throws {
    let (object, result) = try Program.json(["cert", "--virtual", "--format", "text"], input: pin)
    #expect(result.exitStatus == 0)
    #expect((object["text"] as? String)?.contains("Issuer: ") == true)
    #expect((object["certificate"] as? String)?.hasPrefix("-----BEGIN") == true)
  }
}
