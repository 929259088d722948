import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// Every command of the document journey, every kind of fault: a typed error, or findings that the fault does not
/// affect, or a failed proof; never a file that is not the card's, never a second run of PACE, always an end.
@Suite struct HostileDocumentTests {
  private struct Outcome {
    let values: [Trace.Expectation.Value]?
    let error: CardError?
    let log: CardLog

    /// True if a proof of the chip is reported as successful, if there is one.
    var isProved: Bool {
      guard let values else { return false }
      return values.allSatisfy { value in
        switch value {
        case .chipAuthentication(let word), .activeAuthentication(let word),
          .chipMapping(let word), .report(_, let word):
          word == "proved"
        default: true
        }
      }
    }
  }

  private static let unrelated = [
    "wrong-authentication-signature", "wrong-signature", "trivial-dh",
  ]

  static let attacks = HostileCardTests.attacks.filter { attack in
    !unrelated.contains { attack.fault.hasPrefix($0) }
  }

  private func run(
    _ persona: Persona, _ journey: Trace.Journey, faults: FaultPlan = FaultPlan()
  ) -> Outcome {
    // The draws are the same every time: none of these secrets begins with a zero byte, so PACE is run once.
    let card = VirtualCard(
      persona: persona, random: SeededRandom(seed: "hostile card"), faults: faults)
    var random = SeededRandom(seed: "terminal")
    let channel = VirtualCardChannel(card, extendedLength: DocumentJourneys.extendedReader)
    do throws(CardError) {
      let values = try JourneyRunner(journey, at: TestClock.now).run(over: channel, random: &random)
      return Outcome(values: values, error: nil, log: card.log)
    } catch {
      return Outcome(values: nil, error: error, log: card.log)
    }
  }

  private func visit(_ persona: Persona) -> Trace.Journey {
    let groups = Set(persona.dataGroupNumbers)
    let keys: [(DataGroup, Trace.DocumentTask)] = [
      (.dg14, .authenticateChip), (.dg15, .answerChallenge),
    ]
    return .travelDocument(
      Trace.DocumentVisit(
        code: DocumentJourneys.can(of: persona),
        tasks: [.read(.securityObject), .read(.group(.dg1))]
          + keys.filter { groups.contains($0.0.number) }.flatMap { [.read(.group($0.0)), $0.1] },
        readsServicesNumberAfterwards: true))
  }

  /// One persona reads in short blocks, the other in extended ones and has a key for active authentication.
  @Test(arguments: ["gemalto", "gemalto2"])
  func everyFaultAtEveryCommand(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let journey = visit(persona)
    let good = run(persona, journey)
    let findings = try #require(good.values)
    try #require(good.isProved)
    var refused = 0
    for attack in Self.attacks {
      for (index, entry) in good.log.entries.enumerated() {
        let plan = try FaultPlan(parsing: "\(attack.fault)@\(index + 1)")
        let outcome = run(persona, journey, faults: plan)
        let place = "\(attack.fault) at command \(index + 1) of \(identifier)"
        #expect(outcome.log.triggeredFaults >= 1, "\(place): not shown")
        #expect(outcome.log.entries.count <= good.log.entries.count + 300, "\(place): no end")
        expectOneOpening(outcome.log, place)
        if outcome.error != nil { refused += 1 }
        for value in outcome.values ?? [] where isFact(value) {
          #expect(findings.contains(value), "\(place): \(value)")
        }
        switch attack.harm {
        case .securedAnswer where entry.isSecured:
          #expect(!outcome.isProved, "\(place): believed")
        case .anyAnswer where entry.isSecured && attack.changes(entry):
          let isProbe = index > 0 && isChipAuthentication(good.log.entries[index - 1])
          #expect(
            !outcome.isProved || mayBeRepeated(entry) || isProbe, "\(place): believed")
        case .securedAnswer, .anyAnswer, .lasting:
          break
        }
      }
    }
    #expect(refused > good.log.entries.count * Self.attacks.count / 2)
  }

  /// Checks whether a value is data that were read, rather than a proof.
  private func isFact(_ value: Trace.Expectation.Value) -> Bool {
    switch value {
    case .fileHash, .servicesNumber: true
    default: false
    }
  }

  /// Expects one run of PACE: the protocol is requested again with its parameters at most, and one token is sent.
  private func expectOneOpening(_ log: CardLog, _ place: String) {
    let selections = log.entries.filter { $0.instruction == 0x22 && $0.p1 == 0xC1 }
    #expect(selections.count <= 2, "\(place): PACE again")
    let tokens = log.entries.filter { entry in
      entry.instruction == 0x86 && !entry.isSecured && entry.commandLength == 18
    }
    #expect(tokens.count <= 2, "\(place): more than one token")
  }

  /// A refused READ BINARY is repeated after SELECT or with another length; chip authentication that is refused in one
  /// form is repeated in the other.
  private func mayBeRepeated(_ entry: CardLog.Entry) -> Bool {
    entry.instruction == 0xB0 || entry.instruction == 0x22
  }

  /// The next answer shows by its MAC that the card has the new keys, whatever this one claims.
  private func isChipAuthentication(_ entry: CardLog.Entry) -> Bool {
    entry.isSecured && (entry.instruction == 0x22 || entry.instruction == 0x86)
  }

  @Test(arguments: [
    ("wrong-token", CardError.Reason.chipNotAuthentic),
    ("pace-value=mapping-identity", .unsafeParameters(.publicValue)),
    ("pace-value=mapping-minus-one", .unsafeParameters(.publicValue)),
    ("pace-value=mapping-reflected", .unsafeParameters(.publicValue)),
    ("pace-value=mapping-outside", .unsafeParameters(.publicValue)),
    ("pace-value=agreement-identity", .unsafeParameters(.publicValue)),
    ("pace-value=agreement-minus-one", .unsafeParameters(.publicValue)),
    ("pace-value=agreement-reflected", .unsafeParameters(.publicValue)),
    ("pace-value=agreement-outside", .unsafeParameters(.publicValue)),
    ("status=6300@86:4", .wrongAccessCode(.can, triesLeft: nil)),
    ("status=63C1@86:4", .wrongAccessCode(.can, triesLeft: 1)),
    ("status=63C0@86:4", .accessCodeBlocked(.can)),
    ("status=6983@86:4", .accessCodeBlocked(.can)),
    ("status=63FF@86:4", .wrongAccessCode(.can, triesLeft: nil)),
    ("status=6985@86:4", .accessRefused(.can, .conditionsNotSatisfied)),
    ("status=6A80@86:4", .accessRefused(.can, .wrongData)),
    ("status=6F00@86:4", .accessRefused(.can, .noDiagnosis)),
    ("bare-status=9000@86:4", .malformed(.structure)),
    ("card-removed@86:3", .channel(.cardRemoved)),
    ("card-mute@86:1", .channel(.cardMute)),
    ("truncated-answer=1@86:2", .channel(.truncatedResponse(length: 1))),
  ])
  func openingHasItsError(fault: String, reason: CardError.Reason) throws {
    for persona in Persona.all {
      let outcome = run(persona, visit(persona), faults: try FaultPlan(parsing: fault))
      #expect(outcome.error == CardError(.openAccess, reason), "\(persona.identifier)")
    }
  }

  /// The report on a document that is not the signed one, or not on the chip that it was signed for.
  @Test(arguments: [
    ("tampered-group=1", ["hash-dg1"]), ("tampered-group=2", ["hash-dg2"]),
    ("tampered-group=11", ["hash-dg11"]),
    ("foreign-sod", ["hash-dg1", "hash-dg2", "hash-dg11"]),
    ("wrong-chip-authentication-key", ["chip-authentication"]),
    ("wrong-active-authentication", ["active-authentication"]),
  ])
  func reportFindsIt(fault: String, points: [String]) throws {
    for persona in Persona.all {
      let document = persona.travelDocument
      if fault.contains("chip"), document.chipAuthenticationKeys.isEmpty { continue }
      if fault.contains("active"), document.activeAuthenticationKey == nil { continue }
      let outcome = run(
        persona,
        .documentAuthenticity(
          code: DocumentJourneys.can(of: persona), groups: [.dg1, .dg2, .dg11],
          trustAnchors: [persona.documentCSCA]),
        faults: try FaultPlan(parsing: fault))
      let values = try #require(outcome.values)
      for point in points {
        #expect(
          values.contains(.report(point: point, verdict: "false")),
          "\(fault), \(persona.identifier): \(point)")
      }
      #expect(values.contains(.servicesNumber(persona.nis)))
    }
  }
}
