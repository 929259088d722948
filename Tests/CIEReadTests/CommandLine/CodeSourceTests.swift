import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The sources of PIN and PUK, and the refusals before the card is asked.
@Suite struct CodeSourceTests {
  private let pin = [UInt8](Persona.gemalto.pin.utf8)

  @Test(arguments: ["", "\n", "\r\n"])
  func `a code comes from a file, a descriptor or standard input`(_ ending: String) throws {
    let directory = try TemporaryDirectory()
    let line = pin + [UInt8](ending.utf8)
    let file = try directory.write("pin", line)
    let command = ["pin", "verify", "--virtual"]
    #expect(try Program.run(command + ["--pin-file", file]).exitStatus == 0)
    #expect(
      try Program.run(command + ["--pin-fd", "3"], descriptors: [3: line]).exitStatus == 0)
    #expect(
      try Program.run(command, input: String(decoding: line, as: UTF8.self)).exitStatus == 0)
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o602, 0o610])
  func `a file that others can read is refused`(_ mode: Int) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("pin", pin, permissions: mode)
    try expect("pin-file-exposed", ["pin", "verify", "--pin-file", file])
    try expect("puk-file-exposed", ["pin", "unblock", "--puk-file", file])
  }

  @Test(arguments: [
    ("", "pin-missing"), ("\n", "pin-missing"), ("1234567\n", "pin-length"),
    ("123456789\n", "pin-length"), ("1234567a\n", "pin-not-digits"), ("12345678 \n", "pin-length"),
    ("１２３４５６７８\n", "pin-length"), (String(repeating: "1", count: 5000), "pin-length"),
  ])
  func `an invalid PIN is refused before the card is asked`(_ input: String, _ name: String) throws
  {
    // The first command would remove the card: with a PIN of this form no command is sent.
    try expect(name, ["pin", "verify"], input: input)
  }

  @Test(arguments: [
    ("11111111", "new-pin-weak"), ("12345678", "new-pin-weak"), ("87654321", "new-pin-weak"),
    ("27182818", "new-pin-unchanged"), ("8642086", "new-pin-length"), ("", "new-pin-missing"),
  ])
  func `a new PIN that is easy to guess is refused before VERIFY`(_ new: String, _ name: String)
    throws
  {
    try expect(name, ["pin", "change"], input: Persona.gemalto.pin + "\n" + new + "\n")
  }

  @Test func `a source that cannot be used is named`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("pin", pin)
    try expect("pin-unreadable", ["pin", "verify", "--pin-fd", "77"])
    try expect("pin-unreadable", ["pin", "verify", "--pin-file", directory.path("none")])
    try expect("pin-unreadable", ["pin", "verify", "--pin-file", directory.url.path])
    try expect(
      "several-pin-sources", ["pin", "verify", "--pin-fd", "0", "--pin-file", file])
    try expect("no-terminal", ["sign", "--in", "-"])
    try expect("standard-input-twice", ["sign", "--in", "-", "--pin-fd", "0"])
  }

  /// Two codes from one descriptor, separated by line ends.
  @Test func `two codes come from one descriptor, a line each`() throws {
    let lines = pin + [10] + [UInt8]("86420864\n".utf8)
    let result = try Program.run(
      ["pin", "change", "--virtual", "--pin-fd", "4", "--new-pin-fd", "4"], descriptors: [4: lines])
    #expect(result.exitStatus == 0)
  }

  /// Fails with 64 although every command to the card would fail with 9.
  private func expect(_ name: String, _ arguments: [String], input: String = "") throws {
    let (object, result) = try Program.json(
      arguments + ["--virtual", "--fault", "card-removed"], input: input)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == name)
  }
}
