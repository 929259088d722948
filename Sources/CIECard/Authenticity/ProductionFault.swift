/// The production fault of 346 275 genuine cards of 2017 and 2018, whose DG12 does not match the
/// hash in their security object.
///
/// The Ministry of the Interior published it in a deviation list (Doc 9303-12 §10) of 2018-05-30,
/// `TDDL-CIE-Signed-20180530.der` on csca-ita.interno.gov.it: deviation 2.23.136.1.1.7.2.2 with
/// parameter 12. The date of issue in DG12 is 20151205 on every one of these cards, and on 46 875
/// the endorsement "not valid abroad" is missing. The list names cards in 215 394 ranges of numbers
/// and no signer; the checks here are what they have in common. Any other mismatch remains a
/// forgery. The last of these cards expires in early 2029, after which this can be removed.
struct ProductionFault {
  /// The zone in DG1.
  let zone: MRZ
  /// DG12, as read.
  let details: [UInt8]
  /// The security object, whose signature, path to an Italian CSCA and other hashes are all
  /// correct.
  let object: SecurityObject

  /// True if a DG12 that does not match is this fault.
  var isPublished: Bool {
    isPublishedCard && isPublishedDate && isPublishedSigning
  }

  /// True for an Italian identity card with a number of the published form and an expiry that a
  /// card of those months can have: ten years and a birthday after the last of them. The letters
  /// after the digits are not restricted.
  private var isPublishedCard: Bool {
    let number = Array(zone.documentNumber.utf8)
    let hasNumber =
      number.count == 9 && number.starts(with: "CA".utf8)
      && number[2..<7].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && number[7...].allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    // Cards valid into another century came in 2026; before, the two digits of the year are of this
    // one.
    let expiry = zone.dateOfExpiry
    guard let year = expiry.yearOfCentury, let month = expiry.month, let day = expiry.day else {
      return false
    }
    return hasNumber && zone.issuingState == IssuingState.italy && zone.documentCode.hasPrefix("C")
      && ![29, 3, 5].lexicographicallyPrecedes([year, month, day])
  }

  private var isPublishedDate: Bool {
    guard let details = try? DataGroup.DocumentDetails(dataGroup12: details) else { return false }
    return details.dateOfIssue == MRZ.PartialDate(year: 2015, month: 12, day: 5)
  }

  /// 2017-09-01 to 2018-03-05, a month around the dates of issue in the list; no published card
  /// states its signing time.
  private static let signingTimes: Range<UTCTime> = 1_504_224_000..<1_520_294_400

  private var isPublishedSigning: Bool {
    object.signer.map { $0.notBefore < Self.signingTimes.upperBound } == true
      && (object.signingTime.map(Self.signingTimes.contains) ?? true)
  }
}
