internal import Primitives

extension Diagnosis {
  /// The card ended the secure channel with a bare status word. It is not authenticated, so it decides only on the
  /// advice:
  ///
  /// | Word | Interpretation | Exit |
  /// |---|---|---|
  /// | 67xx, 6Cxx | another length is required | 12 |
  /// | 68xx but 6882, 6981, 6Axx, 6Bxx, 6Dxx, 6Fxx | the command is not supported in this form | 12 |
  /// | 6882, 69xx, 6Exx | the session is gone | 9 |
  /// | 63xx, 64xx, 65xx and any other | a failure on the connection | 9 |
  static func channelEnded(_ status: StatusWord, at step: CardError.Step) -> Diagnosis {
    let isUnsupported = isUnsupported(status)
    return Diagnosis(
      isUnsupported ? .notCarried : .cardLost, "channel-ended", ["status": status],
      advice: step.showsCode
        ? .tryInDoubt
        : Message(isUnsupported ? "channel-ended-length.do" : "channel-ended-lost.do"))
  }

  private static func isUnsupported(_ status: StatusWord) -> Bool {
    switch (status.rawValue >> 8, status) {
    case (_, .secureMessagingNotSupported): false
    case (_, .incompatibleFile): true
    case (0x67, _), (0x68, _), (0x6A, _), (0x6B, _), (0x6C, _), (0x6D, _), (0x6F, _): true
    default: false
    }
  }
}

extension CardError.Step {
  /// True if the command contains a PIN or PUK.
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
