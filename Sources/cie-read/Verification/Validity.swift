import CIECard
import Messages
import System

/// The ends of validity of a document and of its signer's certificate: two dates, because documents of fifty years
/// outlive their signers.
struct Validity: Sendable {
  /// The last day, from DG1.
  let until: MRZ.PartialDate?
  /// True if that day is over; `nil` without a date.
  let isExpired: Bool?
  /// The end of the signer's certificate.
  let certificateUntil: UTCTime?
  /// True if that moment is over.
  let isCertificateEnded: Bool

  /// - Parameter time: the moment of the judgement.
  init(_ evidence: AuthenticityReport.Evidence.Document, at time: UTCTime) {
    let today = MRZ.PartialDate(time)
    let zone = evidence.files[.dg1].flatMap { try? MRZ(dataGroup1: $0) }
    let until = today.flatMap { zone?.expiryDate(asOf: $0) }
    self.until = until
    isExpired = today.flatMap { until?.isOver(on: $0) }
    let object = evidence.securityObject.flatMap { try? SecurityObject(file: $0) }
    certificateUntil = object?.signer.notAfter
    isCertificateEnded = certificateUntil.map { $0 < time } ?? false
  }

  /// The members for scripts.
  var members: [JSON.Member] {
    [
      .init("expired", isExpired.map(JSON.bool) ?? .null), .init("validUntil", until?.description),
      .init("certificateValidUntil", certificateUntil?.description),
    ]
  }

  /// The expiries in one sentence, for people; nil without one.
  var text: Message? {
    guard let until, let isExpired else { return nil }
    if isExpired {
      return Message("validity.expired", ["until": until])
    }
    guard let certificateUntil, isCertificateEnded else { return nil }
    return Message("validity.signer-expired", ["until": until, "end": certificateUntil])
  }

  /// A judgement after the expiry, which comes first.
  func headline(_ judgement: Message) -> Message {
    guard let text else { return judgement }
    return Message("validity.headline", ["validity": text, "judgement": judgement])
  }
}

extension MRZ.PartialDate {
  /// Checks whether the day is before today. Unknown parts are taken as late as possible.
  ///
  /// - Returns: `nil` without a year.
  func isOver(on today: MRZ.PartialDate) -> Bool? {
    guard let year, let now = today.year else { return nil }
    return [year, month ?? 12, day ?? 31]
      .lexicographicallyPrecedes([now, today.month ?? 1, today.day ?? 1])
  }
}
