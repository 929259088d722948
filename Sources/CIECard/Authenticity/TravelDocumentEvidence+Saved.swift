extension AuthenticityEvidence.TravelDocument {
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
