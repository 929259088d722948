import Traces
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// One agreed secret in 256 begins with a zero byte. The byte is part of the secret (BSI TR-03111 §3.1.3); chips that
/// drop it exist, and one refusal is then not yet a wrong number.
@Suite struct LeadingZeroTests {
  private struct Run {
    let values: [Trace.Expectation.Value]?
    let error: CardError?
    let selections: Int
  }

  private func run(_ number: Int, _ profile: String, faults: String?) throws -> Run {
    let card = VirtualCard(
      persona: .gemalto, random: SeededRandom(seed: "card \(number)"),
      faults: try faults.map { try FaultPlan(parsing: $0) } ?? FaultPlan(),
      options: try CardOptions(parsing: "pace=\(profile)"))
    var random = SeededRandom(seed: "terminal \(number)")
    let visit = Trace.DocumentVisit(code: DocumentJourneys.can(of: .gemalto), tasks: [])
    let channel = VirtualCardChannel(card, extendedLength: DocumentJourneys.extendedReader)
    let selections = { card.log.entries.filter { $0.instruction == 0x22 }.count }
    do throws(CardError) {
      let values = try JourneyRunner(.travelDocument(visit), at: TestClock.now)
        .run(over: channel, random: &random)
      return Run(values: values, error: nil, selections: selections())
    } catch {
      return Run(values: nil, error: error, selections: selections())
    }
  }

  /// The terminal shows by a second run that its secret began with zero: about one run in 256 does.
  @Test(arguments: ["gm-3des-8", "gm-3des-0"])
  func secretKeepsItsZero(profile: String) throws {
    let refusal = "status=6300@86:4"
    var found: [Int] = []
    var number = 0
    while found.count < 2, number < 4000 {
      number += 1
      let refused = try run(number, profile, faults: refusal)
      guard refused.error == nil else {
        #expect(refused.error == CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil)))
        #expect(refused.selections == 1)
        continue
      }
      #expect(refused.selections == 2)
      found.append(number)
    }
    #expect(found.count == 2)
    #expect(number > 20)
    for number in found {
      // Both ends keep the byte: the first run opens.
      let good = try run(number, profile, faults: nil)
      #expect(good.error == nil && good.selections == 1)
      // There is no third run.
      let twice = try run(number, profile, faults: refusal + ",status=6300@86:8")
      #expect(twice.error == CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil)))
      #expect(twice.selections == 2)
      // A card that reports a counter is not asked again.
      let counted = try run(number, profile, faults: "status=63C2@86:4")
      #expect(counted.error == CardError(.openAccess, .wrongAccessCode(.can, triesLeft: 2)))
      #expect(counted.selections == 1)
    }
  }
}
