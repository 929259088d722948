import Synchronization
import TestSupport
import Testing

@testable import VirtualCIE
@testable import cie_lab

extension RealReader {
  /// The built program, on both sides of a card.
  @Suite struct Verification {
    /// A card's events: the header of each command, and each reset or loss of power.
    private final class Diary: Sendable {
      private let entries = Mutex<[[UInt8]]>([])
      var value: [[UInt8]] { entries.withLock { $0 } }
      static let reset: [UInt8] = []
      func add(_ entry: [UInt8]) { entries.withLock { $0.append(entry) } }
    }

    /// From the first command of PACE to the challenge of the IAS side no reset occurs, and a SELECT in clear leads
    /// from one side to the other.
    @Test(arguments: [(Persona.gemalto.identifier, 0), (Persona.nxp.identifier, 13)])
    func `both sides are verified in one contact`(_ identifier: String, _ status: Int) throws {
      let persona = try #require(Persona.named(identifier))
      let directory = try TemporaryDirectory()
      let anchors = [
        try directory.write("ias.der", persona.csca),
        try directory.write("document.der", persona.documentCSCA),
      ]
      let diary = Diary()
      let inserted = try InsertedCard {
        let card = CardInReader(VirtualCard(persona: persona))
        return CardInReader(
          answerToReset: card.answerToReset,
          reset: {
            diary.add(Diary.reset)
            card.reset()
          },
          respond: { command in
            diary.add([UInt8](command.prefix(4)))
            return card.respond(command)
          })
      }
      let result = try BuiltBinary("cie-read").run(
        ["verify", "--reader", PCSCRig.readers[0], "--can", persona.can, "--wait", "10"]
          + anchors.flatMap { ["--trust", $0] },
        environment: ["XDG_DATA_HOME": "/proc/nonexistent"], timeLimit: .seconds(300))
      withExtendedLifetime(inserted) {}
      #expect(result.exitStatus == CInt(status), "\(result.output)\(result.errors)")
      #expect(result.output.contains("\nServices application (IAS):\n"))

      let entries = diary.value
      let first = try #require(entries.firstIndex(of: [0x00, 0x22, 0xC1, 0xA4]))
      let last = try #require(entries.lastIndex(of: [0x00, 0x88, 0x00, 0x00]))
      let contact = entries[first...last]
      #expect(!contact.contains(Diary.reset))
      #expect(contact.contains([0x00, 0xA4, 0x00, 0x00]))
      #expect(contact.contains { $0[0] == 0x0C })
      // All commands of the program were in this contact.
      let commands = entries.filter { $0 != Diary.reset }.count
      let lonely = entries[..<first].lastIndex(of: Diary.reset).map { entries[($0 + 1)...last] }
      #expect(lonely?.count == commands)
    }
  }
}
