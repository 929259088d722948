package import CIECard

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

  /// - Parameter time: the moment of the judgement.
  package init(_ evidence: AuthenticityReport.Evidence.Document, at time: UTCTime) {
    let today = MRZ.PartialDate(time)
    let zone = evidence.files[.dg1].flatMap { try? MRZ(dataGroup1: $0) }
    let until = today.flatMap { zone?.expiryDate(asOf: $0) }
    self.until = until
    isExpired = today.flatMap { until?.isOver(on: $0) }
    let object = evidence.securityObject.flatMap { try? SecurityObject(file: $0) }
    certificateUntil = object?.signer.notAfter
    isCertificateEnded = certificateUntil.map { $0 < time } ?? false
  }
}

extension MRZ.PartialDate {
  /// Checks whether the day is before today. Unknown parts are taken as late as possible.
  ///
  /// - Returns: `nil` without a year.
  package func isOver(on today: MRZ.PartialDate) -> Bool? {
    guard let year, let now = today.year else { return nil }
    return [year, month ?? 12, day ?? 31]
      .lexicographicallyPrecedes([now, today.month ?? 1, today.day ?? 1])
  }
}

/// The demand for validity, or its absence.
package struct ValidityDemand: Sendable {
  /// True if the document must be valid.
  package let isRequired: Bool

  package init(isRequired: Bool) {
    self.isRequired = isRequired
  }

  /// The failure for which the program ends, given that of the judgement alone.
  ///
  /// - Parameter validity: `nil` if no travel document was read.
  package func failure(_ validity: Validity?, besides judgement: Failure?) -> Failure? {
    if case .notProved(.false) = judgement { return judgement }
    guard isRequired else { return judgement }
    if validity?.isExpired == true, let until = validity?.until { return .expired(until) }
    return judgement ?? (validity?.isExpired == nil ? .validityUnknown : nil)
  }
}
