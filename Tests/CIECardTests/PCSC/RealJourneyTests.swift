import Traces
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import cie_lab

extension RealReader {
  /// The functions of the card, over pcscd and a software card in its virtual reader, for every persona.
  @Suite struct Journeys {
    private static let personas = Persona.all.map(\.identifier)

    private func insert(_ persona: Persona, faults: FaultPlan = FaultPlan()) throws -> InsertedCard
    {
      try InsertedCard { CardInReader(VirtualCard(persona: persona, faults: faults)) }
    }

    /// Each journey has a separate channel, as each run of the program has.
    private func values(of journey: Trace.Journey) throws -> [Trace.Expectation.Value] {
      let context = try PCSCContext()
      let channel = try context.connect(to: context.waitForCard(for: .seconds(30)))
      var random = SystemRandom()
      return try JourneyRunner(journey, at: TestClock.now).run(over: channel, random: &random)
    }

    @Test(arguments: personas) func `a card performs all its functions`(_ identifier: String) throws
    {
      let persona = try #require(Persona.named(identifier))
      let card = try insert(persona)
      #expect(try values(of: .information) == [.servicesNumber(persona.nis)])
      #expect(
        try values(of: .documentNumber(pin: persona.pin))
          == [.documentNumber(persona.documentNumber)])
      #expect(
        try values(of: .certificate(pin: persona.pin))
          == [.certificateHash(try HashAlgorithm.sha256.hash(persona.certificate))])
      let digests = try Digest.Algorithm.allCases.map { try Digest($0, hashing: [1, 2, 3]) }
      #expect(try values(of: .sign(pin: persona.pin, digests: digests)).count == 3)
      let report = try values(of: .authenticity(challenge: nil, trustAnchors: [persona.csca]))
      #expect(report.first == .servicesNumber(persona.nis))
      #expect(report.count == 11)
      for case .report(let point, let verdict) in report {
        #expect(verdict == "proved", "\(point)")
      }
      _ = try values(of: .changePIN(pin: persona.pin, newPIN: "27182845"))
      _ = try values(of: .unblockPIN(puk: persona.puk, newPIN: "31415926"))
      _ = try values(of: .verifyPIN(pin: "31415926"))
      withExtendedLifetime(card) {}
    }

    @Test(arguments: [
      ("card-removed@20:1", ChannelError.cardRemoved),
      ("truncated-answer=1@20:1", .truncatedResponse(length: 1)),
      ("truncated-answer=0@20:1", .cardRemoved),
    ])
    func `a card that fails at the PIN signs nothing`(
      _ faults: String, _ expected: ChannelError
    ) throws {
      let persona = Persona.gemalto
      let card = try insert(persona, faults: FaultPlan(parsing: faults))
      let digest = try Digest(.sha256, hashing: [1])
      #expect(throws: CardError(.verifyPIN, .channel(expected))) {
        try values(of: .sign(pin: persona.pin, digests: [digest]))
      }
      withExtendedLifetime(card) {}
    }
  }
}
