import Foundation
import TestSupport
import Testing
import VirtualCIE

/// A recorded conversation gives the same result as the card, without any other input.
@Suite struct ReplayTests {
  private func trace(_ persona: Persona, _ name: String) -> String {
    Repository.url("CardTraces/virtual/\(persona.identifier)-\(name).trace").path
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func `every command replays its recording`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let anchor = try persona.writeAnchor(in: directory)
    let runs: [([String], String, String, CInt)] = [
      (["info"], "info", "", 0), (["nis"], "nis", "", 0),
      (["verify", "--trust", anchor], "authenticity", "", 0),
      (["verify"], "authenticity", "", 13),
      (["cert"], "certificate", persona.pin, 0),
      (["pin", "verify"], "verify-pin", persona.pin, 0),
      (["pin", "change"], "change-pin", persona.pin + "\n86420864", 0),
      (["pin", "unblock"], "unblock-pin", persona.puk + "\n86420864", 0),
    ]
    for (command, name, input, status) in runs {
      let result = try Program.run(command + ["--replay", trace(persona, name)], input: input)
      #expect(result.exitStatus == status, "\(command): \(result.errors)")
      if command == ["cert"] {
        let live = try Program.run(["cert", "--virtual", identifier], input: input)
        #expect(result.output == live.output)
      }
    }
  }

  /// The run of `read` is recorded of two cards, short and extended; a conversation that continues differently does not
  /// match.
  @Test(arguments: ["gemalto", "gemalto2"]) func `the travel document replays its recording`(
    _ identifier: String
  ) throws {
    let persona = try #require(Persona.named(identifier))
    let code = ["read", "--can", persona.can, "--replay"]
    let (object, result) = try Program.json(code + [trace(persona, "travel-document-portrait")])
    #expect(result.exitStatus == 13)
    #expect((object["holder"] as? [String: Any])?["fiscalCode"] as? String == persona.fiscalCode)
    #expect(object["portrait"] is [String: Any])
    let (other, mismatch) = try Program.json(code + [trace(persona, "document-authenticity")])
    #expect(mismatch.exitStatus == 64)
    #expect(try ReportedError(other).name == "replay-mismatch")
  }

  @Test func `a log is told from a trace`() throws {
    let directory = try TemporaryDirectory()
    let log = directory.path("log")
    #expect(try Program.run(["info", "--virtual", "--record", log]).exitStatus == 0)
    let result = try Program.run(["info", "--replay", log])
    #expect(result.exitStatus == 64)
    #expect(result.errors.contains("This is a log of --record"))
    #expect(result.errors.contains("traces of the software card"))
  }

  /// Another command, another PIN, or a trace not used to its end.
  @Test func `a command that is not in the recording is an error`() throws {
    let persona = Persona.gemalto
    for (command, name, input) in [
      (["info"], "nis", ""), (["pin", "verify"], "verify-pin", "10203040"),
      (["pin", "verify"], "certificate", persona.pin),
    ] {
      let (object, result) = try Program.json(
        command + ["--replay", trace(persona, name)], input: input)
      #expect(result.exitStatus == 64)
      #expect(try ReportedError(object).name == "replay-mismatch")
    }
  }
}
