import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Results that cannot be delivered are failures, and are never delivered in part.
@Suite struct OutputTests {
  private let shell = BuiltBinary(path: "/bin/sh")

  private func run(_ script: String, _ arguments: [String] = []) throws -> ProcessResult {
    try shell.run(
      ["-c", script, "sh", BuiltBinary("cie-read").path] + arguments,
      input: [UInt8](Persona.gemalto.pin.utf8))
  }

  @Test(arguments: ["", "--json"])
  func `a full disk is an error`(_ option: String) throws {
    let result = try run("\"$1\" nis --virtual \(option) > /dev/full")
    #expect(result.exitStatus == 1)
    #expect(result.errors.contains("[output-failed; exit 1]"))
  }

  @Test func `a closed standard output is an error`() throws {
    let result = try run("\"$1\" nis --virtual >&-")
    #expect(result.exitStatus == 1)
    #expect(result.errors.contains("[output-failed; exit 1]"))
  }

  /// With all three closed, no file may get their numbers.
  @Test func `closed standard descriptors are not used for files`() throws {
    let directory = try TemporaryDirectory()
    let out = directory.path("certificate.pem")
    let pin = try directory.write("pin", [UInt8](Persona.gemalto.pin.utf8))
    let result = try run(
      "\"$1\" cert --virtual --out \"$2\" --pin-file \"$3\" <&- >&- 2>&-", [out, pin])
    #expect(result.exitStatus == 1, "its summary cannot be written")
    let written = String(decoding: try directory.read("certificate.pem"), as: UTF8.self)
    #expect(written.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(written.hasSuffix("-----END CERTIFICATE-----\n"))
  }

  /// The reader has gone: no message, no death by SIGPIPE, no success.
  @Test func `a closed pipe ends the program quietly`() throws {
    let directory = try TemporaryDirectory()
    let status = directory.path("status")
    let result = try run("{ \"$1\" demo 2>&1 >&3; echo $? > \"$2\"; } 3>&1 | :", [status])
    #expect(result.errors == "")
    // The reader may be quicker or slower than the writer; the writer is never killed by a signal.
    let text = String(decoding: try directory.read("status"), as: UTF8.self)
    #expect(["0\n", "1\n"].contains(text))
  }

  @Test func `a file that cannot be made fails before the card is asked`() throws {
    let (object, result) = try Program.json(
      ["cert", "--virtual", "--fault", "card-removed", "--out", "/proc/nonexistent/file"],
      input: Persona.gemalto.pin)
    #expect(result.exitStatus == 1)
    #expect(try ReportedError(object).name == "output-unwritable")
  }

  /// A failure leaves an existing file untouched, and no other file beside it.
  @Test func `an old file survives a failure`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("certificate.pem", [1, 2, 3])
    let result = try Program.run(
      ["cert", "--virtual", "--fault", "card-removed@B0:4", "--out", file, "--force"],
      input: Persona.gemalto.pin)
    #expect(result.exitStatus == 9)
    #expect(try directory.read("certificate.pem") == [1, 2, 3])
    #expect(try directory.fileNames() == ["certificate.pem"])
  }

  /// A warning is printed unless --quiet is given; errors always are.
  @Test func `with --quiet there are no warnings, and still errors`() throws {
    // A recording has no chip to check.
    let recording = ["--replay", Repository.path("CardTraces/virtual/gemalto-verify-pin.trace")]
    let verify = ["pin", "verify"] + recording
    let loud = try Program.run(verify, input: Persona.gemalto.pin)
    #expect(loud.exitStatus == 0 && loud.errors != "")
    let quiet = try Program.run(verify + ["--quiet"], input: Persona.gemalto.pin)
    #expect(quiet.exitStatus == 0 && quiet.errors == "" && quiet.output == loud.output)
    let wrong = try Program.run(["cert", "--virtual", "--quiet"], input: "00000000")
    #expect(wrong.exitStatus == 7 && wrong.errors.contains("[wrong-pin, "))
  }

  /// The diary is written also when the command fails, and holds no data.
  @Test func `the log of a failed conversation is kept`() throws {
    let directory = try TemporaryDirectory()
    let diary = directory.path("diary")
    let result = try Program.run(
      ["pin", "verify", "--virtual", "--record", diary], input: "27182819")
    #expect(result.exitStatus == 7)
    let text = String(decoding: try directory.read("diary"), as: UTF8.self)
    #expect(text.hasPrefix("diagnostic:"))
    #expect(text.contains("\n> 0C200081 +"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 90 })
  }
}
