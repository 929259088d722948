/// The ends of validity of a document and of its signer's certificate: two dates, because documents of fifty years
/// outlive their signers.
package struct Validity: Sendable {
  /// The last day, from DG1.
  package let until: MRZ.PartialDate?
  /// True if that day is over; `nil` without a date.
  package let isExpired: Bool?
  /// The end of the signer's certificate.
  package let certificateUntil: UTCTime?
  /// True if that moment is over.
  package let isCertificateEnded: Bool

  /// The issue that the clock precedes, by which nothing is valid or expired; `nil` for a plausible time.
  package let issueAfterClock: UTCTime?
  /// The date of birth of DG1 with its century.
  let birth: MRZ.PartialDate?

  /// - Parameters:
  ///   - report: decides what is signed.
  ///   - store: has the signer's certificate if the security object does not.
  ///   - moment: the time of the judgement.
  package init(
    _ evidence: AuthenticityReport.Evidence.Document, _ report: AuthenticityReport,
    knowing store: TrustStore?, at moment: JudgementTime
  ) {
    let zone = evidence.files[.dg1].flatMap { try? MRZ(dataGroup1: $0) }
    let object = evidence.securityObject.flatMap { try? SecurityObject(file: $0, knowing: store) }
    let issue = DateOfIssue(evidence, report, object)
    let today = MRZ.PartialDate(moment.time)
    let issueAfterClock = moment.isBefore(issue.proved)
    // A century needs no proof: a document was issued after its signer, and its holder was born before.
    let day = issue.latest.flatMap { MRZ.PartialDate($0) }
    until = today.flatMap { zone?.expiryDate(asOf: $0, notBefore: day) }
    birth = MRZ.PartialDate(max(moment.time, issue.latest ?? moment.time))
      .flatMap { zone?.birthDate(asOf: $0) }
    isExpired = issueAfterClock == nil ? today.flatMap { [until] in until?.isOver(on: $0) } : nil
    certificateUntil = object?.signer?.notAfter
    isCertificateEnded =
      issueAfterClock == nil && certificateUntil.map { $0 < moment.time } ?? false
    self.issueAfterClock = issueAfterClock
  }
}

/// Times that the issue of a document cannot precede: the begin of its signer's certificate, and the day in DG12.
private struct DateOfIssue {
  /// As the files state them.
  private let signer: UTCTime?
  private let day: UTCTime?
  /// Those of them that the State has signed.
  let proved: [UTCTime]

  init(
    _ evidence: AuthenticityReport.Evidence.Document, _ report: AuthenticityReport,
    _ object: SecurityObject?
  ) {
    signer = object?.signer?.notBefore
    let details = evidence.files[.dg12].flatMap { try? DataGroup.DocumentDetails(dataGroup12: $0) }
    // A day before, because the day begins somewhere else first.
    day = details?.dateOfIssue?.seconds.map { UTCTime(seconds: $0.lowerBound.seconds - 86_400) }
    let isSigned = report[.signature] == .proved && report[.signerChain] == .proved
    let isDaySigned = isSigned && report[.dataGroup(.dg12)] == .proved
    proved = [isSigned ? signer : nil, isDaySigned ? day : nil].compactMap { $0 }
  }

  var latest: UTCTime? { [signer, day].compactMap { $0 }.max() }
}

extension MRZ.PartialDate {
  /// Checks whether the day is before today. Unknown parts are taken as late as possible.
  ///
  /// - Returns: `nil` without a year.
  fileprivate func isOver(on today: MRZ.PartialDate) -> Bool? {
    guard let year, let now = today.year else { return nil }
    return [year, month ?? 12, day ?? 31]
      .lexicographicallyPrecedes([now, today.month ?? 1, today.day ?? 1])
  }
}
