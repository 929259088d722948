extension AuthenticityReport {
  /// What was collected from a card to judge whether it is genuine; what is absent could not be read.
  ///
  /// Files may be longer than their contents: padding is dropped where the contents end.
  public struct Evidence: Sendable, Equatable {
    /// EF.SOD (1006).
    public var securityObject: [UInt8]?
    /// The files that the security object covers, as read.
    public var files: [AuthenticityReport.IASDataGroup: [UInt8]]
    /// The bytes that the chip was asked to sign.
    public var challenge: [UInt8]?
    /// Its answer: the INTERNAL AUTHENTICATE signature of key 83.
    public var response: [UInt8]?

    /// The bytes of a challenge that this program draws: as many as a hash has, so that no answer can come from a
    /// collection.
    package static let challengeLength = 32

    /// Evidence, as far as it is there.
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
  /// What was collected from the travel-document side of a card, or from its saved files, to judge whether it is
  /// genuine; what is absent could not be read.
  ///
  /// Files may be longer than their contents: padding is dropped where the contents end.
  public struct Document: Sendable, Equatable {
    /// EF.SOD.
    public var securityObject: [UInt8]?
    /// The data groups, as read.
    public var files: [DataGroup: [UInt8]]
    /// EF.CardAccess, which nothing protects.
    public var cardAccess: [UInt8]?
    /// EF.CardSecurity.
    public var cardSecurity: [UInt8]?
    /// EF.COM, which lists the data groups and proves nothing.
    public var commonData: [UInt8]?
    /// What opened the chip, when that was the machine readable zone (PACE with MRZ, or BAC); the DG1 of another
    /// document then shows. `nil` after another password, and for saved files.
    public var mrzInformation: MRZ.Information?
    /// What came of chip authentication.
    public var chipAuthentication: ChipAuthentication
    /// The eight bytes that the chip was asked to sign in active authentication.
    public var challenge: [UInt8]?
    /// Its answer.
    public var response: [UInt8]?

    /// What came of chip authentication, as far as the protocol goes. That the key it used is the State's is another
    /// question, which the report answers.
    public enum ChipAuthentication: Sendable, Equatable {
      /// The document announces none.
      case notOffered
      /// It was not asked for it.
      case notTried
      /// The announced key or protocol is none that this program can calculate with.
      case unsupported
      /// The card refused with this status word.
      case refused(StatusWord)
      /// The card ended the secure channel over it with this status word, in clear.
      case channelEnded(StatusWord)
      /// The reader does not carry commands as long as the key.
      case lengthNotCarried
      /// It went on in a session that only the holder of DG14's private key can keep (Doc 9303-11 §6.2).
      case proved
      /// The chip-authentication mapping of PACE held, with the key in EF.CardSecurity (Doc 9303-11 §4.4.3.3.3).
      case provedByMapping
      /// It began and did not hold.
      case failed
    }

    /// Evidence, as far as it is there.
    public init(
      securityObject: [UInt8]? = nil, files: [DataGroup: [UInt8]] = [:], cardAccess: [UInt8]? = nil,
      cardSecurity: [UInt8]? = nil, commonData: [UInt8]? = nil,
      mrzInformation: MRZ.Information? = nil,
      chipAuthentication: ChipAuthentication = .notTried, challenge: [UInt8]? = nil,
      response: [UInt8]? = nil
    ) {
      self.securityObject = securityObject
      self.files = files
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
  /// Evidence out of saved files, without the chip: it cannot be asked for its proofs any more, only whether the
  /// document offers any is known.
  ///
  /// - Parameters:
  ///   - securityObject: EF.SOD.
  ///   - files: the data groups that were saved.
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

  /// A key of chip authentication is in DG14 or EF.CardSecurity (Doc 9303-11 §6.2.1, §4.4.3.3.3); where the security
  /// object lists a DG14 that is not there, nobody knows.
  private var mayOfferChipAuthentication: Bool {
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
