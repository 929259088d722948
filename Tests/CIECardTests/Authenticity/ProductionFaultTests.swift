@testable import CIECard
import TestSupport
import Testing

/// Cards whose DG12 is not the signed one: the published fault of 2017 and 2018, and cases that only resemble it.
@Suite struct ProductionFaultTests {
  @Test(arguments: try TravelDocuments.load().faults)
  func tellsTheFaultFromAForgery(fault: TravelDocuments.Fault) throws {
    let at = try TravelDocuments.load().at
    let report = AuthenticityReport(judging: try fault.evidence, trust: try fault.store, at: at)
    let point = report[.dataGroup(.dg12)]
    switch fault.expect {
    case "known":
      #expect(point == .knownFault(.dataGroup12))
      #expect(report.outcome == .knownFault(.dataGroup12))
      #expect(report.knownFault == .dataGroup12 && !report.isPassivelyProved)
    case "false":
      let falsehood = point.flatMap {
        if case .false(let falsehood) = $0 { falsehood } else { nil }
      }
      #expect(falsehood != nil && report.outcome == .false && report.knownFault == nil)
    default: Issue.record("\(fault.expect)")
    }
    // The date in such a DG12 does not count.
    #expect(
      report[.signerValidityAtIssue] != .couldNotCheck(.notYetValid(notBefore: 1_496_275_200)))
  }

  /// Any other false point makes the whole card false.
  @Test func otherFalsehoodsCountAsEver() throws {
    let documents = try TravelDocuments.load()
    let fault = try #require(documents.faults.first { $0.name == "part-b" })
    var evidence = try fault.evidence
    evidence.chipAuthentication = .failed
    let report = AuthenticityReport(judging: evidence, trust: try fault.store, at: documents.at)
    #expect(report[.dataGroup(.dg12)] == .knownFault(.dataGroup12))
    #expect(report.outcome == .false)
  }

  /// In evidence nothing else may be missing: not the challenge, nor a part that the receiver requires.
  @Test func inEvidenceItIsTheOnlyFaultOrNoneIsKnown() throws {
    let documents = try TravelDocuments.load()
    let fault = try #require(documents.faults.first { $0.name == "part-b" })
    let challenge = [UInt8](1...16)
    let request = try #require(CardEvidence.Request(challenge: challenge))
    var evidence = try #require(CardEvidence(for: request, program: "test 1", at: documents.at))
    evidence.document = try fault.evidence
    func outcome(_ expectation: EvidenceReport.Expectation) throws -> AuthenticityReport.Outcome {
      EvidenceReport(
        judging: evidence, trust: try fault.store, expecting: expectation, at: documents.at
      ).outcome
    }
    #expect(try outcome(.init(challenge: challenge)) == .knownFault(.dataGroup12))
    #expect(try outcome(.init()) == .couldNotCheck)
    #expect(try outcome(.init(challenge: challenge, parts: [.ias])) == .couldNotCheck)
    #expect(try outcome(.init(challenge: [UInt8](2...17))) == .false)
  }

  @Test func theSignatureHasToHold() throws {
    let documents = try TravelDocuments.load()
    let fault = try #require(documents.faults.first { $0.name == "part-b" })
    var evidence = try fault.evidence
    let last = fault.securityObject.bytes.count - 1
    evidence.securityObject?[last] ^= 1
    let report = AuthenticityReport(judging: evidence, trust: try fault.store, at: documents.at)
    #expect(report[.dataGroup(.dg12)] == .false(.hashDiffers))
    let untrusted = AuthenticityReport(judging: try fault.evidence, trust: nil, at: documents.at)
    #expect(untrusted[.dataGroup(.dg12)] == .false(.hashDiffers))
  }
}
