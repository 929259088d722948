import TestSupport
import Testing

@testable import CIECard

/// Evidence from saved files: the chip's offers are known, its proofs are not.
@Suite struct SavedEvidenceTests {
  private let documents: TravelDocuments

  init() throws { documents = try TravelDocuments.load() }

  private func saved(
    changing change: (inout AuthenticityReport.Evidence.Document) -> Void = { _ in }
  ) throws -> AuthenticityReport.Evidence.Document {
    var evidence = try documents.evidence()
    change(&evidence)
    return AuthenticityReport.Evidence.Document(
      savedSecurityObject: evidence.securityObject ?? [], files: evidence.files,
      cardAccess: evidence.cardAccess, cardSecurity: evidence.cardSecurity)
  }

  @Test func nothingIsProvedOfTheChip() throws {
    let evidence = try saved()
    #expect(evidence.chipAuthentication == .notTried)
    #expect(evidence.challenge == nil && evidence.response == nil)
    let report = AuthenticityReport(
      judging: evidence, trust: try documents.store(), at: documents.at)
    #expect(report.isPassivelyProved)
    #expect(report.outcome == .couldNotCheck)
    #expect(report.cloning == .notJudged)
  }

  /// A DG14 that is listed but was not saved may have offered it; an unlisted one offers nothing.
  @Test func offersOfTheChip() throws {
    #expect(try saved { $0.files[.dg14] = nil }.chipAuthentication == .notTried)
    #expect(
      try saved { $0.files[.dg14] = [0x6E, 0x02, 0x31, 0x00] }.chipAuthentication == .notOffered)
    #expect(try saved { $0.files[.dg14] = [0x6E] }.chipAuthentication == .notTried)
    #expect(
      try saved {
        $0.files[.dg14] = nil
        $0.securityObject = []
      }.chipAuthentication == .notTried)
    #expect(
      try saved {
        $0.files[.dg14] = [0x6E, 0x02, 0x31, 0x00]
        $0.cardSecurity = documents.cardSecurity.bytes
      }.chipAuthentication == .notTried)
  }

  @Test func whatIsFalseIsNotPassivelyProved() throws {
    let evidence = try saved()
    let trust = try documents.store()
    var altered = evidence
    altered.files[.dg1] = evidence.files[.dg1].map { $0.dropLast() + [0] }
    #expect(
      !AuthenticityReport(judging: altered, trust: trust, at: documents.at).isPassivelyProved)
    #expect(
      !AuthenticityReport(judging: evidence, trust: nil, at: documents.at).isPassivelyProved)
  }
}
