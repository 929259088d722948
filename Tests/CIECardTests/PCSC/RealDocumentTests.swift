import Traces
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE
@testable import cie_lab

extension RealReader {
  /// The travel document of every persona, over pcscd and a software card in its virtual reader.
  @Suite struct Documents {
    private static let personas = Persona.all.map(\.identifier)

    private func insert(
      _ persona: Persona, options: String? = nil, faults: FaultPlan = FaultPlan()
    ) throws -> InsertedCard {
      let options = try options.map { try CardOptions(parsing: $0) } ?? CardOptions()
      return try InsertedCard {
        CardInReader(VirtualCard(persona: persona, faults: faults, options: options))
      }
    }

    private func values(of journey: Trace.Journey) throws -> [Trace.Expectation.Value] {
      let context = try PCSCContext()
      let channel = try context.connect(to: context.waitForCard(for: .seconds(30)))
      var random = SystemRandom()
      return try JourneyRunner(journey, at: TestClock.now).run(over: channel, random: &random)
    }

    @Test(arguments: personas) func `a document gives all its data and proves itself`(
      _ identifier: String
    ) throws {
      let persona = try #require(Persona.named(identifier))
      let card = try insert(persona)
      let access = DocumentJourneys.usualAccess(of: persona)
      for code in [DocumentJourneys.can(of: persona), DocumentJourneys.mrz(of: persona)] {
        let visit = Trace.DocumentVisit(
          code: code, tasks: try DocumentJourneys.everything(in: persona),
          readsServicesNumberAfterwards: true)
        #expect(
          try values(of: .travelDocument(visit))
            == DocumentJourneys.findings(
              in: persona, access: access, mapping: identifier == "unknown"))
      }
      let report = try values(
        of: .documentAuthenticity(
          code: DocumentJourneys.can(of: persona), groups: [.dg1, .dg11],
          trustAnchors: [persona.documentCSCA]))
      #expect(report.prefix(2) == [.servicesNumber(persona.nis), .access(access)])
      #expect(report.contains(.report(point: "signer-chain", verdict: "proved")))
      #expect(report.contains(.report(point: "hash-dg11", verdict: "proved")))
      for case .report(let point, let verdict) in report {
        #expect(verdict != "false", "\(point)")
      }
      withExtendedLifetime(card) {}
    }

    @Test(arguments: personas.filter { $0 != "unknown" }) func `a zone opens by basic access`(
      _ identifier: String
    ) throws {
      let persona = try #require(Persona.named(identifier))
      let card = try insert(persona, options: "no-card-access")
      let visit = Trace.DocumentVisit(
        code: DocumentJourneys.mrz(of: persona),
        tasks: try DocumentJourneys.everything(in: persona), readsServicesNumberAfterwards: true)
      #expect(
        try values(of: .travelDocument(visit))
          == DocumentJourneys.findings(in: persona, access: "BAC"))
      withExtendedLifetime(card) {}
    }

    @Test(arguments: [
      ("card-removed@86:3", CardError(.openAccess, .channel(.cardRemoved))),
      ("wrong-token", CardError(.openAccess, .chipNotAuthentic)),
      ("wrong-mac@a4:1", CardError(.selectTravelDocument, .notBelieved(.wrongMAC))),
    ])
    func `a document that fails gives no data`(_ faults: String, _ expected: CardError) throws {
      let card = try insert(.gemalto, faults: FaultPlan(parsing: faults))
      let visit = Trace.DocumentVisit(
        code: DocumentJourneys.can(of: .gemalto), tasks: [.read(.group(.dg1))])
      #expect(throws: expected) { try values(of: .travelDocument(visit)) }
      withExtendedLifetime(card) {}
    }
  }
}
