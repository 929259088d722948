internal import CIECard

/// The travel document, for PACE, basic access control and the proofs of the chip.
struct StoredDocument {
  let data: TravelDocumentData
  let options: CardOptions
  /// The PACE profiles that EF.CardAccess announces.
  let profiles: [PACEProfile]
  /// Consecutive failures of PACE with CAN or MRZ; a reset does not clear them.
  private(set) var failures = 0

  init(_ data: TravelDocumentData, options: CardOptions) {
    self.data = data
    self.options = options
    profiles =
      options.omitsCardAccess
      ? [] : options.paceProfiles ?? PACEProfile.announced(in: data.cardAccess)
  }

  /// EF.CardAccess: that of the persona, or one with the requested profiles instead; empty if
  /// missing.
  static func cardAccess(_ data: TravelDocumentData, _ options: CardOptions) -> [UInt8] {
    if options.omitsCardAccess { return [] }
    guard let profiles = options.paceProfiles else { return data.cardAccess }
    return BERObject.encode(0x31, profiles.flatMap(\.info))
  }

  var allowsBasicAccess: Bool { data.allowsBasicAccess && !options.refusesBasicAccess }

  /// SHA-1 of the MRZ information (Doc 9303-11 §4.3.2, §9.7.2).
  func mrzSeed() throws(CryptoError) -> [UInt8] {
    try HashAlgorithm.sha1.hash([UInt8](data.mrzInformation.utf8))
  }

  /// The chip's key for chip authentication mapping: one on the same parameters as PACE.
  func mappingKey(_ profile: PACEProfile) -> TravelDocumentData.ChipAuthenticationKey? {
    data.chipAuthenticationKeys.first {
      $0.parameterIdentifier == profile.parameterIdentifier
    }
  }

  var delay: Int { min(10_000, min(failures, 100) * min(max(0, options.failureDelay), 10_000)) }

  /// Counts a wrong CAN or MRZ: 6300, or 63Cx if the card reports tries.
  mutating func fail() -> Status {
    failures = min(failures + 1, 100)
    guard let tries = options.shownTries else {
      return options.tokenRefusal.map(Status.init) ?? .authenticationFailed
    }
    return .triesLeft(max(0, min(tries, 15) - failures))
  }

  mutating func succeed() { failures = 0 }
}
