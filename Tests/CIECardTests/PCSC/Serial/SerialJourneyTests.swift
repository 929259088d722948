import Traces
import Synchronization
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE
@testable import cie_lab

extension RealReader {
  /// Software cards in a reader behind Debian's CCID driver.
  @Suite struct SerialJourneys {
    private func values(of journey: Trace.Journey) throws -> [Trace.Expectation.Value] {
      let channel = try PCSCContext().openCard(for: .seconds(60))
      var random = SystemRandom()
      return try JourneyRunner(journey, at: TestClock.now).run(over: channel, random: &random)
    }

    @Test func `every card behaves as over the virtual reader`() throws {
      let rig = try SerialRig()
      for persona in Persona.all {
        rig.post(.remove)
        rig.post(.insert { CardInReader(VirtualCard(persona: persona)) })
        #expect(try values(of: .information) == [.servicesNumber(persona.nis)])
        #expect(
          try values(of: .documentNumber(pin: persona.pin))
            == [.documentNumber(persona.documentNumber)])
        let digest = try Digest(.sha256, hashing: [1, 2, 3])
        #expect(try values(of: .sign(pin: persona.pin, digests: [digest])).count == 1)
        let visit = Trace.DocumentVisit(
          code: DocumentJourneys.can(of: persona),
          tasks: try DocumentJourneys.everything(in: persona),
          readsServicesNumberAfterwards: true)
        #expect(
          try values(of: .travelDocument(visit))
            == DocumentJourneys.findings(
              in: persona, access: DocumentJourneys.usualAccess(of: persona),
              mapping: persona.identifier == "unknown"))
      }
    }

    @Test func `without long commands all but the travel document works`() throws {
      let persona = Persona.gemalto
      let rig = try SerialRig(
        { CardInReader(VirtualCard(persona: persona)) }, driverOptions: "0x0002")
      let digest = try Digest(.sha256, hashing: [1, 2, 3])
      #expect(try values(of: .sign(pin: persona.pin, digests: [digest])).count == 1)
      let visit = Trace.DocumentVisit(
        code: DocumentJourneys.can(of: persona), tasks: [.read(.group(.dg1))])
      #expect(throws: CardError(.openAccess, .extendedLengthNeeded(nil))) {
        try values(of: .travelDocument(visit))
      }
      withExtendedLifetime(rig) {}
    }

    /// A record of the card's commands, and the n-th command with some instruction, whose answer is lost.
    private final class Wire: Sendable {
      private struct State {
        var instructions: [UInt8] = []
        var lost: UInt8?
      }
      private let state = Mutex(State())

      var instructions: [UInt8] { state.withLock { $0.instructions } }

      func lose(_ instruction: UInt8) {
        state.withLock { $0 = State(instructions: [], lost: instruction) }
      }

      func card(_ persona: Persona) -> @Sendable () -> CardInReader {
        {
          let card = CardInReader(VirtualCard(persona: persona))
          return CardInReader(answerToReset: card.answerToReset, reset: card.reset) { command in
            let reaction = card.respond(command)
            let isLost = self.state.withLock { state in
              state.instructions.append(command[1])
              guard state.lost == command[1] else { return false }
              state.lost = nil
              return true
            }
            return isLost ? .lost : reaction
          }
        }
      }
    }

    /// SELECT, READ BINARY, MSE, GENERAL AUTHENTICATE, EXTERNAL and INTERNAL AUTHENTICATE.
    @Test(
      arguments: [
        (["nis"], [0xA4, 0xB0]), (["pin", "verify", "--skip-genuine-check"], [0x22, 0x82, 0x88]),
        (["read", "--can", Persona.gemalto.can], [0x86, 0xB0]),
      ] as [([String], [UInt8])])
    func `one lost answer before a PIN is recovered`(
      _ arguments: [String], _ instructions: [UInt8]
    ) throws {
      let wire = Wire()
      let rig = try SerialRig(wire.card(.gemalto))
      for instruction in instructions {
        wire.lose(instruction)
        let result = try BuiltBinary("cie-read").run(
          arguments, input: [UInt8]((Persona.gemalto.pin + "\n").utf8))
        #expect([0, 13].contains(result.exitStatus), "\(result.output)\(result.errors)")
        #expect(wire.instructions.count { $0 == 0x20 } <= 1)
      }
      withExtendedLifetime(rig) {}
    }

    @Test func `a lost answer to VERIFY is not recovered: no command is sent twice`() throws {
      let wire = Wire()
      let rig = try SerialRig(wire.card(.gemalto))
      wire.lose(0x20)
      let result = try BuiltBinary("cie-read").run(
        ["pin", "verify", "--skip-genuine-check", "--json"],
        input: [UInt8]((Persona.gemalto.pin + "\n").utf8))
      #expect(result.exitStatus == 9)
      #expect(result.output.contains(#""name":"transmission-failed""#))
      #expect(wire.instructions.last == 0x20)
      #expect(wire.instructions.count { $0 == 0x20 } == 1)
      withExtendedLifetime(rig) {}
    }
  }
}
