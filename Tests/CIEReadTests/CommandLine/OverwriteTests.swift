import Foundation
import Glibc
import TestSupport
import Testing
import VirtualCIE

/// An existing file stays unchanged without --force; and the error comes before the card is asked.
@Suite struct OverwriteTests {
  private static let pin = Persona.gemalto.pin

  /// Commands that write FILE, and the source of their PIN.
  static let commands = [
    "cert --virtual --out FILE", "sign --virtual --in /dev/null --out FILE",
    "read --virtual --can 223606 --no-picture --photo FILE",
    "nis --virtual --record FILE", "login --sp-url https://example.org/ --virtual --cookies FILE",
  ]

  @Test(arguments: commands)
  func `an existing file is left alone`(_ line: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("file", [1, 2, 3])
    let arguments = line.replacing("FILE", with: file).split(separator: " ").map(String.init)
    let (object, result) = try Program.json(arguments, input: Self.pin)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "output-exists")
    #expect(try directory.read("file") == [1, 2, 3])
    #expect(try directory.fileNames() == ["file"])
  }

  @Test(arguments: commands.dropLast())
  func `--force overwrites`(_ line: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("file", [1, 2, 3])
    let arguments = line.replacing("FILE", with: file).split(separator: " ").map(String.init)
    let result = try Program.run(arguments + ["--force"], input: Self.pin)
    #expect([0, 13].contains(result.exitStatus), "\(result.errors)")
    #expect(try directory.read("file") != [1, 2, 3])
    #expect(try directory.fileNames() == ["file"])
  }

  /// A file of mktemp is empty in order to be filled.
  @Test func `an empty file is filled`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("file", [])
    let result = try Program.run(["cert", "--virtual", "--out", file], input: Self.pin)
    #expect(result.exitStatus == 0)
    #expect(try !directory.read("file").isEmpty)
  }

  /// The card is not asked: it would be gone at the first command.
  @Test func `an existing file fails before the card is asked`() throws {
    let directory = try TemporaryDirectory()
    let letter = try directory.write("letter", [1])
    try directory.write("letter.sig", [2])
    let (object, result) = try Program.json(
      ["sign", "--virtual", "--fault", "card-removed@1", "--in", letter, "--out", letter + ".sig"],
      input: Self.pin)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "output-exists")
    #expect(try directory.read("letter.sig") == [2])
  }

  @Test func `a certificate's file is readable only by its owner`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path("certificate.pem")
    let result = try BuiltBinary(path: "/bin/sh").run(
      ["-c", "umask 000; exec \"$0\" \"$@\"", BuiltBinary("cie-read").path]
        + ["cert", "--virtual", "--out", file], input: [UInt8](Self.pin.utf8))
    #expect(result.exitStatus == 0)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }
}
