package import CIECard
import Primitives

/// Evidence from another machine, judged without a card.
package enum JudgedEvidence {
  /// Reads evidence and judges it.
  ///
  /// - Throws: `found` if the bytes are no evidence of the version that this program knows.
  package static func verify(
    _ bytes: [UInt8], trust: TrustStore?, expecting expectation: EvidenceReport.Expectation,
    requiresValidity: Bool, at present: PresentTime
  ) throws(Failure) -> Verification {
    let evidence = try mapError(try CardEvidence(bytes)) { (error: CardEvidence.Malformation) in
      Failure.found(Diagnosis(error))
    }
    let judgement = EvidenceReport(
      judging: evidence, trust: trust, expecting: expectation, at: present.time,
      notBefore: present.earliest)
    let document = evidence.document.flatMap { document in
      judgement.document.map {
        DocumentReading(
          document, openedBy: nil, $0, knowing: trust, isTest: false, at: present)
      }
    }
    var ias: IASReading?
    if let evidence = evidence.ias, let report = judgement.ias {
      ias = try IASReading(evidence, report, at: present)
    }
    return Verification(
      document: document, ias: ias, judgement: judgement, evidence: evidence,
      requiresValidity: requiresValidity)
  }
}

extension IASReading {
  fileprivate init(
    _ evidence: AuthenticityReport.Evidence, _ report: AuthenticityReport, at present: PresentTime
  ) throws(Failure) {
    guard let number = evidence.servicesNumber else {
      throw .found(Diagnosis(CardEvidence.Malformation.notInForm))
    }
    self.init(
      number: number, evidence: evidence, report: report, isTest: false, present: present)
    // They prove nothing of the number, so `nis` does not read them.
    leavesOut = [AuthenticityReport.IASDataGroup.deviceKey, .dhParameters]
      .filter { evidence.files[$0] == nil }.map { .hash($0) }
  }
}
