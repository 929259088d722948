// Deliberately written apart from CIECard.

/// What a persona's issuing authority made: the travel document's files and keys, and the authority itself.
struct IssuedDocument: Sendable {
  /// The machine-readable zone, three lines of 30 characters (Doc 9303-5 §4.2).
  let mrzLines: [String]
  /// The test CSCA that issued the document signer, an X.509 certificate in DER; not on the card.
  let csca: [UInt8]
  /// The files and keys of the card.
  let data: TravelDocumentData

  /// Puts together what `tools/make-personas` writes; an empty text is a file that the card has not.
  init(
    can: String, mrzLines: [String], allowsBasicAccess: Bool, cscaHex: String,
    cardAccessHex: String, cardSecurityHex: String, commonHex: String, securityObjectHex: String,
    dg1Hex: String, dg2Base64: String, dg11Hex: String, dg12Hex: String, dg14Hex: String,
    dg15Hex: String, chipAuthenticationKeys: [TravelDocumentData.ChipAuthenticationKey],
    activeAuthenticationKey: TravelDocumentData.ActiveAuthenticationKey?
  ) {
    self.mrzLines = mrzLines
    csca = HexText.decode(cscaHex)
    let groups: [UInt8: [UInt8]] = [
      1: HexText.decode(dg1Hex), 2: Base64Text.decode(dg2Base64), 11: HexText.decode(dg11Hex),
      12: HexText.decode(dg12Hex), 14: HexText.decode(dg14Hex), 15: HexText.decode(dg15Hex),
    ]
    data = TravelDocumentData(
      can: can,
      // Doc 9303-11 §4.3.2: number, birth and expiry, each with its check digit.
      mrzInformation: String(
        mrzLines[0].dropFirst(5).prefix(10) + mrzLines[1].prefix(7)
          + mrzLines[1].dropFirst(8).prefix(7)),
      cardAccess: HexText.decode(cardAccessHex),
      cardSecurity: HexText.decode(cardSecurityHex),
      common: HexText.decode(commonHex), securityObject: HexText.decode(securityObjectHex),
      dataGroups: groups.filter { !$0.value.isEmpty },
      chipAuthenticationKeys: chipAuthenticationKeys,
      activeAuthenticationKey: activeAuthenticationKey, allowsBasicAccess: allowsBasicAccess)
  }
}
