import TestSupport
import Testing

@testable import VirtualCIE

/// `--option pace=cam-…` is refused for cards without the key that it needs; a card would announce what it refuses.
@Suite struct MappingOptionTests {
  @Test(arguments: Persona.everyone)
  func `mapping needs a key on the same parameters`(_ persona: Persona) throws {
    let keys = persona.travelDocument.chipAuthenticationKeys.map(\.parameterIdentifier)
    for number: UInt8 in [8, 12, 13, 18] {
      let arguments = [
        "info", "--virtual", persona.identifier, "--option", "pace=cam-aes128-\(number)",
      ]
      let (object, result) = try Program.json(arguments)
      if keys.contains(number) {
        #expect(result.exitStatus == 0)
      } else {
        #expect(result.exitStatus == 64)
        #expect(try ReportedError(object).name == "bad-option")
      }
    }
  }

  @Test func `other mappings need no key`() throws {
    for profile in ["gm-3des-2", "im-aes128-13", "gm-aes256-18"] {
      let result = try Program.run(["info", "--virtual", "--option", "pace=\(profile)"])
      #expect(result.exitStatus == 0)
    }
  }
}
