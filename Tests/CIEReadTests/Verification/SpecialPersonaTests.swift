import TestSupport
import Testing
import VirtualCIE

/// The cards with a story of their own, over the whole way from the card to the verdict.
@Suite struct SpecialPersonaTests {
  private func judge(
    _ persona: Persona, _ command: String
  ) throws -> (object: [String: Any], exit: CInt?) {
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    let picture = command == "read" ? ["--no-picture"] : []
    let (object, result) = try Program.json(
      [command, "--virtual", persona.identifier, "--can", persona.can, "--trust-only", trust]
        + picture)
    return (object, result.exitStatus)
  }

  /// Issued after 2026-07-30 to somebody of more than seventy: 76 in the zone is 2076, the certificate ends in 2036.
  @Test(arguments: ["read", "verify"]) func fiftyYears(_ command: String) throws {
    let (object, exit) = try judge(.senior, command)
    #expect(exit == 0)
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["validUntil"] as? String == "2076-08-07")
    #expect(document["expired"] as? Bool == false)
    #expect(document["certificateValidUntil"] as? String == "2045-12-31T00:00:00Z")
  }

  /// One of the cards on the deviation list of 2018: neither forged nor proved.
  @Test func productionFault() throws {
    let (object, exit) = try judge(.recalled, "verify")
    #expect(exit == 13)
    #expect(try ReportedError(object).name == "known-production-fault")
  }

  /// Every persona of the list can open and use its card.
  @Test(arguments: Persona.special.map(\.identifier)) func signs(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    let (object, result) = try Program.json(
      ["sign", "--in", "/dev/null", "--virtual", name], input: persona.pin)
    #expect(result.exitStatus == 0 && object["signatures"] != nil)
    #expect(
      try Program.run(["pin", "verify", "--virtual", name], input: persona.pin).exitStatus == 0)
  }
}
