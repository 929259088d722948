extension AuthenticityReport {
  /// Data collected from a card to judge its authenticity; a missing part could not be read.
  ///
  /// Files may be longer than their contents: padding is dropped.
  public struct Evidence: Sendable, Equatable {
    /// EF.SOD (1006).
    public var securityObject: [UInt8]?
    /// The files that the security object covers, as read.
    public var files: [AuthenticityReport.IASDataGroup: [UInt8]]
    /// The challenge for the chip.
    public var challenge: [UInt8]?
    /// The response: the INTERNAL AUTHENTICATE signature of key 83.
    public var response: [UInt8]?

    /// Length of a challenge drawn by this program: that of a hash, so that no response can come
    /// from a collection of earlier ones.
    package static let challengeLength = 32

    /// Evidence with the parts that are available.
    public init(
      securityObject: [UInt8]? = nil, files: [AuthenticityReport.IASDataGroup: [UInt8]] = [:],
      challenge: [UInt8]? = nil, response: [UInt8]? = nil
    ) {
      self.securityObject = securityObject
      self.files = files
      self.challenge = challenge
      self.response = response
    }
  }
}

extension AuthenticityReport.Evidence {
  /// Data collected from the travel-document side of a card, or from its saved files, to judge its
  /// authenticity; a missing part could not be read.
  ///
  /// Files may be longer than their contents: padding is dropped.
  public struct Document: Sendable, Equatable {
    /// EF.SOD.
    public var securityObject: [UInt8]?
    /// The data groups, as read.
    public var files: [DataGroup: [UInt8]]
    /// The data groups that were requested and that the security object lists (or EF.COM, if there
    /// is no security object), but that the card did not return.
    public var unread: Set<DataGroup>
    /// EF.CardAccess, which is unprotected.
    public var cardAccess: [UInt8]?
    /// EF.CardSecurity.
    public var cardSecurity: [UInt8]?
    /// EF.COM, which lists the data groups and proves nothing.
    public var commonData: [UInt8]?
    /// The machine readable zone that opened the chip (PACE with MRZ, or BAC), because it reveals
    /// the DG1 of another document. `nil` after another password, and for saved files.
    public var mrzInformation: MRZ.Information?
    /// Result of chip authentication.
    public var chipAuthentication: ChipAuthentication
    /// The eight bytes of the challenge for active authentication.
    public var challenge: [UInt8]?
    /// The response.
    public var response: [UInt8]?

    /// Result of chip authentication.
    public typealias ChipAuthentication = AuthenticityReport.ChipProof

    /// Evidence with the parts that are available.
    public init(
      securityObject: [UInt8]? = nil, files: [DataGroup: [UInt8]] = [:],
      unread: Set<DataGroup> = [], cardAccess: [UInt8]? = nil, cardSecurity: [UInt8]? = nil,
      commonData: [UInt8]? = nil, mrzInformation: MRZ.Information? = nil,
      chipAuthentication: ChipAuthentication = .notTried, challenge: [UInt8]? = nil,
      response: [UInt8]? = nil
    ) {
      self.securityObject = securityObject
      self.files = files
      self.unread = unread
      self.cardAccess = cardAccess
      self.cardSecurity = cardSecurity
      self.commonData = commonData
      self.mrzInformation = mrzInformation
      self.chipAuthentication = chipAuthentication
      self.challenge = challenge
      self.response = response
    }
  }
}

extension AuthenticityReport.Evidence.Document {
  /// Evidence from saved files, without the chip: proofs by the chip are not possible any more, but
  /// the files may show that the document offers none.
  ///
  /// - Parameters:
  ///   - securityObject: EF.SOD.
  ///   - files: the saved data groups.
  ///   - cardAccess: EF.CardAccess.
  ///   - cardSecurity: EF.CardSecurity.
  public init(
    savedSecurityObject securityObject: [UInt8], files: [DataGroup: [UInt8]],
    cardAccess: [UInt8]? = nil, cardSecurity: [UInt8]? = nil
  ) {
    self.init(
      securityObject: securityObject, files: files, cardAccess: cardAccess,
      cardSecurity: cardSecurity)
    if !mayOfferChipAuthentication { chipAuthentication = .notOffered }
  }

  /// True if there is an EF.CardSecurity, if DG14 has a key of chip authentication (Doc 9303-11
  /// §6.2.1, §4.4.3.3.3), or if that is unknown because DG14 is listed in the security object but
  /// was not read.
  var mayOfferChipAuthentication: Bool {
    if cardSecurity != nil { return true }
    if let file = files[.dg14] {
      guard let infos = try? SecurityInfos(dataGroup14: file) else { return true }
      return !infos.chipAuthenticationKeys.isEmpty
    }
    guard let object = securityObject.flatMap({ try? SecurityObject(file: $0) }) else {
      return true
    }
    return object.contents.hash(of: DataGroup.dg14.number) != nil
  }
}
