public import CIECard

extension Step {
  /// What the program is doing, as a line of progress.
  public var text: Message { Message("step.\(rawValue)") }

  /// Whether it happens when session keys exist already: an answer of wrong form is then no longer a matter of
  /// a card that is no CIE.
  var isBehindKeys: Bool {
    switch self {
    case .selectRoot, .selectCIE, .probeApplications, .readServicesNumber, .readChipSerialNumber,
      .readParameterFile, .readDeviceKey, .readServicesKey, .readSecurityObject, .answerChallenge,
      .readTries, .readDomainParameters, .readAuthorityKey, .agreeKeys,
      .readCardAccess, .readCardLimits, .openAccess, .leaveTravelDocument:
      false
    case .presentCertificate, .authenticateTerminal, .authenticateChip, .verifyPIN, .verifyPUK,
      .changePIN, .resetPIN, .readDocumentNumber, .readCertificate, .sign, .readCardSecurity,
      .selectTravelDocument, .readCommonData, .readDocumentSecurityObject,
      .readMachineReadableZone, .readPortrait, .readPersonalDetails, .readDocumentDetails,
      .readSecurityOptions, .readActiveAuthenticationKey, .readDataGroup:
      true
    }
  }
}
