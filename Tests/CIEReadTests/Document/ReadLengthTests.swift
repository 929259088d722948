import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `read --extended` and `--no-extended` change the commands, not the result.
@Suite struct ReadLengthTests {
  /// The document's members, and the number of commands in the recording.
  private func read(
    _ persona: Persona, _ options: [String]
  ) throws -> (status: Int32?, document: String, commands: Int) {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace")
    let (object, result) = try Program.json(
      ["read", "--virtual", persona.identifier, "--can", persona.can, "--record", trace] + options)
    let document = try JSONSerialization.data(
      withJSONObject: object["files"] as? [Any] ?? [], options: [.sortedKeys])
    let lines = String(decoding: try folder.read("trace"), as: UTF8.self).split(separator: "\n")
    return (
      result.exitStatus, String(decoding: document, as: UTF8.self),
      lines.count { $0.hasPrefix(">") }
    )
  }

  /// A card that announces extended length is not asked for it; one that does not, ends the channel over it, which is
  /// opened again for short commands.
  @Test(arguments: [Persona.gemalto, .gemalto2, .nxp, .itj4])
  func `extended length at once makes other commands, and the same files`(_ persona: Persona) throws
  {
    let usual = try read(persona, [])
    let extended = try read(persona, ["--extended"])
    #expect(extended.status == usual.status && extended.document == usual.document)
    #expect(extended.commands != usual.commands)
    if persona.identifier == "itj4" { #expect(extended.commands < usual.commands) }
  }

  /// The card ends the channel over the first extended command; short ones follow.
  @Test func `a card that takes no extended length for reading is read all the same`() throws {
    let refusing = ["--option", "no-extended-length=read"]
    let usual = try read(.itj4, refusing)
    let extended = try read(.itj4, refusing + ["--extended"])
    #expect(extended.status == usual.status && extended.document == usual.document)
  }
}
