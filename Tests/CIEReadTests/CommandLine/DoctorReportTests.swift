import Foundation
import Primitives
import TestSupport
import Testing
import VirtualCIE

/// `doctor --report`: its questions, its costs, and its anonymity.
@Suite struct DoctorReportTests {
  private static let can = "223606"

  /// Runs doctor on a software card, with a report.
  private func report(
    _ arguments: [String] = [], persona: Persona = .gemalto, input: String = ""
  ) throws -> (text: String, answers: [String: String], result: ProcessResult) {
    let folder = try TemporaryDirectory()
    let path = folder.path("report")
    let result = try Program.run(
      ["doctor", "--virtual", persona.identifier, "--report", path] + arguments, input: input)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let survey = text.components(separatedBy: "[survey]\n").last?
      .components(separatedBy: "\n[conversation]").first
    let lines = (survey ?? "").split(separator: "\n").map { $0.components(separatedBy: ": ") }
    let answers = Dictionary(lines.map { ($0[0], $0.dropFirst().joined(separator: ": ")) }) { $1 }
    return (text, answers, result)
  }

  /// VERIFY in secure messaging, as in the diary.
  private func verifications(in text: String) -> Int {
    text.split(separator: "\n").count { $0.hasPrefix("> 0C20") }
  }

  @Test func `every deviation is tested, or listed as untested`() throws {
    let (_, answers, result) = try report(["--with-can"], input: Self.can + "\n")
    #expect(result.exitStatus == 0)
    let numbers = Set(answers.keys.flatMap { $0.split(separator: " ")[0].split(separator: "/") })
    for number in 1...23 { #expect(numbers.contains("D\(number)"), "D\(number)") }
    #expect(answers["end"] == "complete")
    #expect(answers.values.allSatisfy { !$0.hasPrefix("failed") }, "\(answers)")
  }

  @Test(arguments: Persona.everyone)
  func `every software card answers to the end, even without a code`(_ persona: Persona) throws {
    let (text, answers, _) = try report(persona: persona)
    #expect(answers["end"] == "complete" && answers.count > 85)
    #expect(verifications(in: text) == 0)
  }

  @Test func `it names no person`() throws {
    let persona = Persona.gemalto
    let (text, answers, result) = try report(
      ["--with-can", "--with-pin"], input: "\(Self.can)\n\(persona.pin)\n")
    #expect(result.exitStatus == 0 && answers["end"] == "complete")
    #expect(answers["I read-1003-after-pin"] == "9000+8")
    let named = [
      persona.givenName, persona.surname, persona.fiscalCode, persona.nis, persona.documentNumber,
      persona.pin, persona.puk, Self.can,
    ]
    let upper = text.uppercased()
    for name in named {
      #expect(!upper.contains(name.uppercased()))
      #expect(!upper.contains([UInt8](name.utf8).hexadecimal))
    }
    // The chip's serial number holds the services number in BCD, which the line above has looked for.
    #expect(upper.contains("END: COMPLETE"))
  }

  @Test func `the PIN is sent once`() throws {
    let persona = Persona.gemalto
    #expect(verifications(in: try report(["--with-pin"], input: "\(persona.pin)\n").text) == 1)
    let (text, answers, result) = try report(["--with-pin"], input: "00000000\n")
    #expect(verifications(in: text) == 1 && answers["end"] == "wrong-pin")
    #expect(result.exitStatus == 7)
  }

  @Test func `a wrong CAN is sent once, and the other questions are asked nevertheless`() throws {
    let (text, answers, result) = try report(["--with-can"], input: "000000\n")
    #expect(result.exitStatus == 0 && answers["end"] == "complete")
    #expect(answers["E access"] == "failed open-access wrong-code")
    #expect(answers["E sod"] == nil && answers["D1 root-bare"] == "9000")
    // The last step of PACE is the only one without the chaining bit. It is sent twice if the shared secret begins with a
    // zero byte, which happens once in 256 runs.
    let sent = text.split(separator: "\n").count { $0.hasPrefix("> 00860000") }
    #expect((1...2).contains(sent))
  }

  @Test func `a card removed in the middle leaves its answers so far`() throws {
    let (_, answers, result) = try report(["--fault", "card-removed@88:3"])
    #expect(answers["end"] == "card-removed" && answers["D1 root-bare"] == "9000")
    #expect(result.exitStatus == 9)
    #expect(answers["D22 card-access-after-cie"] == nil)
  }

  @Test func `an unknown card is asked nevertheless`() throws {
    let faults = (1...8).map { "status=6A82@A4:\($0)" }.joined(separator: ",")
    let (text, answers, result) = try report(["--fault", faults])
    #expect(result.exitStatus == 6 && text.contains("card: problem not-a-cie"))
    #expect(answers["E pace-without-parameter"] == "failed select-root 6A82")
    #expect(answers["D15 sm-wrong-mac"] == "6988" && answers["end"] == "complete")
  }

  @Test func `codes without a report are refused before any question`() throws {
    for option in ["--with-can", "--with-pin"] {
      let (object, result) = try Program.json(["doctor", "--virtual", option])
      #expect(result.exitStatus == 64)
      #expect(try ReportedError(object).name == "code-without-report")
    }
  }

  @Test func `scripts get the answers too`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("report")
    let (object, _) = try Program.json(["doctor", "--virtual", "--report", path])
    let survey = try #require(object["survey"] as? [[String: String]])
    #expect(survey.contains(["number": "D12", "subject": "fcp-2f00", "answer": "6A82"]))
    #expect(object["report"] as? String == path)
  }

  @Test func `without a card the report says so`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("report")
    let result = try Program.run([
      "doctor", "--virtual", "--fault", "card-mute@1", "--report", path,
    ])
    #expect(result.exitStatus == 9)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("card: problem card-mute") && !text.contains("[survey]"))
  }

  @Test func `an environment that cannot be reached is a warning`() throws {
    let folder = try TemporaryDirectory()
    let text = """
      {"name": "closed", "idp": "https://localhost:1/idp/", "linkHosts": ["localhost:2"], \
      "nextPaths": ["/idp/a"]}
      """
    let file = try folder.write("closed.json", [UInt8](text.utf8))
    let (object, result) = try Program.json(["doctor", "--virtual", "--environment", file])
    #expect(result.exitStatus == 0)
    let findings = try #require(object["findings"] as? [[String: Any]])
    let network = try #require(findings.first { $0["name"] as? String == "network" })
    #expect(network["grade"] as? String == "warning" && network["do"] is String)
  }
}
