import CIECard

extension Diagnosis {
  /// The card ended the secure channel with a bare status word. It proves nothing, so it decides only what to advise:
  ///
  /// | Word | Taken for | Exit |
  /// |---|---|---|
  /// | 67xx, 6Cxx | another length is wanted | 12 |
  /// | 68xx but 6882, 6981, 6Axx, 6Bxx, 6Dxx, 6Fxx | the command is not carried out like this | 12 |
  /// | 6882, 69xx, 6Exx | the session is gone | 9 |
  /// | 63xx, 64xx, 65xx and any other | something failed on the way | 9 |
  static func channelEnded(_ status: StatusWord, at step: Step) -> Diagnosis {
    let isUnsupported = isUnsupported(status)
    return Diagnosis(
      isUnsupported ? .notCarried : .cardLost, "channel-ended",
      what: Bilingual(
        it: "La carta ha chiuso il canale sicuro (\(status)).",
        en: "The card ended the secure channel (\(status))."),
      advice: step.showsCode ? codeAdvice : isUnsupported ? lengthAdvice : againAdvice)
  }

  private static func isUnsupported(_ status: StatusWord) -> Bool {
    switch (status.rawValue >> 8, status) {
    case (_, .secureMessagingNotSupported): false
    case (_, .incompatibleFile): true
    case (0x67, _), (0x68, _), (0x6A, _), (0x6B, _), (0x6C, _), (0x6D, _), (0x6F, _): true
    default: false
    }
  }

  private static let lengthAdvice = Bilingual(
    it: "Carta o lettore non eseguono un comando così: provare --no-extended o un altro lettore.",
    en: "Card or reader do not carry out a command like that: try --no-extended, or another reader."
  )

  private static let againAdvice = Bilingual(
    it: "Tenere ferma la carta sul lettore e ricominciare.",
    en: "Keep the card still on the reader and start again.")
}

extension Step {
  /// Whether a PIN or PUK is in the command.
  fileprivate var showsCode: Bool {
    switch self {
    case .verifyPIN, .verifyPUK, .changePIN, .resetPIN: true
    case .selectRoot, .selectCIE, .probeApplications, .readServicesNumber, .readChipSerialNumber,
      .readParameterFile, .readDeviceKey, .readServicesKey, .readSecurityObject, .answerChallenge,
      .readTries, .readDomainParameters, .readAuthorityKey, .agreeKeys, .presentCertificate,
      .authenticateTerminal, .authenticateChip, .readDocumentNumber, .readCertificate,
      .readCardAccess, .readCardLimits, .openAccess, .readCardSecurity, .selectTravelDocument,
      .readCommonData, .readDocumentSecurityObject, .readMachineReadableZone, .readPortrait,
      .readPersonalDetails, .readDocumentDetails, .readSecurityOptions,
      .readActiveAuthenticationKey, .readDataGroup, .leaveTravelDocument, .sign:
      false
    }
  }
}
