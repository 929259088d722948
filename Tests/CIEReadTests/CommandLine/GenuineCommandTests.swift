import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Every command that sends a code first checks for the State's signature on the chip.
@Suite struct GenuineCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let input: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ input: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.input = input
    }
  }

  static let cases = [
    Case("cert", "27182818\n"), Case("sign --in /dev/null", "27182818\n"),
    Case("pin verify", "27182818\n"), Case("pin change", "27182818\n86420864\n"),
    Case("pin unblock", "\(Persona.gemalto.puk)\n86420864\n"),
  ]

  /// Runs it on the card and returns the instructions in the diary.
  private func run(
    _ example: Case, _ options: [String]
  ) throws -> (object: [String: Any], status: CInt?, sentCode: Bool) {
    let directory = try TemporaryDirectory()
    let diary = directory.path("diary.txt")
    let (object, result) = try Program.json(
      example.arguments + ["--virtual", "--record", diary] + options, input: example.input)
    let lines = try String(contentsOfFile: diary, encoding: .utf8).split(separator: "\n")
    let sentCode = lines.contains { line in
      ["0C20", "0C24", "0C2C"].contains { line.contains($0) }
    }
    return (object, result.exitStatus, sentCode)
  }

  private func anchor(_ directory: borrowing TemporaryDirectory) throws -> String {
    try Persona.gemalto.writeAnchor(in: directory)
  }

  @Test(arguments: cases) func `a chip with the State's signature gets the PIN`(example: Case)
    throws
  {
    let directory = try TemporaryDirectory()
    let run = try run(
      example, ["--require-genuine", "--trust-only", try anchor(directory)])
    #expect(run.status == 0)
    #expect(run.object["genuine"] as? String == "proved")
    #expect(run.sentCode)
  }

  @Test(arguments: cases) func `a false chip gets no code`(example: Case) throws {
    let directory = try TemporaryDirectory()
    let run = try run(
      example, ["--trust-only", try anchor(directory), "--fault", "foreign-sod"])
    #expect(run.status == 10)
    #expect(try ReportedError(run.object).name == "chip-not-genuine")
    #expect(!run.sentCode)
  }

  @Test(arguments: cases, [[], ["--require-genuine"]])
  func `no code is sent if the check is impossible`(example: Case, options: [String]) throws {
    let directory = try TemporaryDirectory()
    let other = try Persona.nxp.writeAnchor(in: directory)
    let run = try run(example, options + ["--trust-only", other])
    #expect(run.status == 13)
    #expect(try ReportedError(run.object).name == "chip-not-checked")
    #expect(!run.sentCode)
    let plain = try Program.run(
      example.arguments + ["--virtual", "--trust-only", other], input: example.input)
    for word in ["--trust", "cie-read trust import", "--skip-genuine-check"] {
      #expect(plain.errors.contains(word))
    }
  }

  /// A software card inside of the program is signed by its own test authority.
  @Test(arguments: cases) func `a software card needs no anchors`(example: Case) throws {
    let run = try run(example, [])
    #expect(run.status == 0)
    #expect(run.object["genuine"] as? String == "proved")
  }

  @Test(arguments: cases) func `the check can be skipped`(example: Case) throws {
    let run = try run(example, ["--skip-genuine-check", "--fault", "foreign-sod"])
    #expect(run.status == 0)
    #expect(run.object["genuine"] as? String == "skipped")
  }

  @Test func `requiring and skipping the check contradict each other`() throws {
    let (object, result) = try Program.json(
      ["pin", "verify", "--virtual", "--require-genuine", "--skip-genuine-check"],
      input: "27182818\n")
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "genuine-twice")
  }

  @Test(arguments: [
    ("card-removed@24:1", 9), ("card-mute@24:1", 9), ("truncated-answer=1@24:1", 9),
    ("wrong-mac@24:1", 10), ("stripped-protection@24:1", 10),
  ])
  func `a change without an answer is reported as doubtful`(fault: String, status: CInt) throws {
    let arguments = ["pin", "change", "--virtual", "--fault", fault]
    let (object, result) = try Program.json(arguments, input: "27182818\n86420864\n")
    #expect(result.exitStatus == status)
    #expect(try ReportedError(object).name == "pin-outcome-unknown")
    let italian = try Program.run(
      arguments + ["--language", "it"], input: "27182818\n86420864\n")
    #expect(italian.errors.contains("Provare prima il nuovo PIN"))
  }

  /// A lost answer to VERIFY: no advice to try again.
  @Test(arguments: ["card-removed@20:1", "wrong-mac@20:1", "bare-status=63C1@20:1"])
  func `after a doubtful try no other one is advised`(fault: String) throws {
    let result = try Program.run(
      ["pin", "verify", "--virtual", "--fault", fault], input: "27182818\n")
    #expect(result.errors.contains("A try may have been counted"))
    #expect(!result.errors.contains("Try once more"))
  }

  @Test func `info shows the tries left`() throws {
    let (object, _) = try Program.json(["info", "--virtual"])
    #expect(object["pinTriesLeft"] as? Int == 3)
    #expect(object["pukTriesLeft"] as? Int == 10)
    let silent = try Program.json(["info", "--virtual", "--option", "no-counters=6982"])
    #expect(silent.result.exitStatus == 0)
    #expect(silent.object["pinTriesLeft"] as? Int == nil)
    #expect(silent.object["triesRefusal"] is NSNull)
  }

  /// A card that rejects the terminal: its earlier answers are shown, and the refusal.
  @Test func `info shows that the card refused to report the tries`() throws {
    let arguments = ["info", "--virtual", "--option", "certificate-refusal=6A80"]
    let (object, result) = try Program.json(arguments)
    #expect(result.exitStatus == 0)
    #expect(object["servicesNumber"] as? String == Persona.gemalto.nis)
    #expect(object["pinTriesLeft"] is NSNull && object["pukTriesLeft"] is NSNull)
    let refusal = try #require(object["triesRefusal"] as? [String: Any])
    #expect(refusal["name"] as? String == "refused")
    #expect(refusal["step"] as? String == "present-certificate")
    #expect(refusal["statusWord"] as? String == "6A80")
    let plain = try Program.run(arguments)
    #expect(plain.output.contains("Tries           not reported. The card refused"))
    #expect(plain.errors == "")
  }
}
