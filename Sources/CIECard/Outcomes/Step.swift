extension CardError {
  /// A step of the conversation with the card, for progress and for errors.
  public enum Step: String, Sendable, Hashable, CaseIterable {
    /// Selecting the IAS root application or the master file.
    case selectRoot = "select-root"
    case selectCIE = "select-cie"
    /// Asking which other applications answer.
    case probeApplications = "probe-applications"
    /// Reading EF.ID_Servizi, the services number (NIS).
    case readServicesNumber = "read-services-number"
    /// Reading EF.SN, the serial number of the chip.
    case readChipSerialNumber = "read-chip-serial-number"
    /// Reading EF.DH, the signed copy of the Diffie–Hellman parameters.
    case readParameterFile = "read-parameter-file"
    /// Reading EF.Int.Kpub, the key of device authentication.
    case readDeviceKey = "read-device-key"
    /// Reading EF.Servizi_Int.Kpub, the key that answers challenges.
    case readServicesKey = "read-services-key"
    /// Reading EF.SOD, the signed hashes of the files.
    case readSecurityObject = "read-security-object"
    /// Signing a challenge with key 83.
    case answerChallenge = "answer-challenge"
    case readTries = "read-tries"
    case readDomainParameters = "read-domain-parameters"
    /// Reading the key under which terminal certificates are verified.
    case readAuthorityKey = "read-authority-key"
    case agreeKeys = "agree-keys"
    case presentCertificate = "present-certificate"
    case authenticateTerminal = "authenticate-terminal"
    case authenticateChip = "authenticate-chip"
    case verifyPIN = "verify-pin"
    case verifyPUK = "verify-puk"
    case changePIN = "change-pin"
    /// Setting a new PIN after the PUK.
    case resetPIN = "reset-pin"
    /// Reading EF.Seriale, the number of the document.
    case readDocumentNumber = "read-document-number"
    /// Reading EF.Cert_CIE, the holder's certificate.
    case readCertificate = "read-certificate"
    /// Reading EF.CardAccess, the access protocols of the travel document.
    case readCardAccess = "read-card-access"
    /// Reading EF.ATR/INFO, the limits of command lengths.
    case readCardLimits = "read-card-limits"
    /// Opening the travel document with PACE or Basic Access Control.
    case openAccess = "open-access"
    /// Reading EF.CardSecurity, the signed counterpart of EF.CardAccess.
    case readCardSecurity = "read-card-security"
    case selectTravelDocument = "select-travel-document"
    /// Reading EF.COM, the list of data groups.
    case readCommonData = "read-common-data"
    /// Reading EF.SOD of the travel document.
    case readDocumentSecurityObject = "read-document-security-object"
    case readMachineReadableZone = "read-machine-readable-zone"
    case readPortrait = "read-portrait"
    case readPersonalDetails = "read-personal-details"
    case readDocumentDetails = "read-document-details"
    case readSecurityOptions = "read-security-options"
    case readActiveAuthenticationKey = "read-active-authentication-key"
    case readDataGroup = "read-data-group"
    /// Returning from the travel document to the rest of the card.
    case leaveTravelDocument = "leave-travel-document"
    /// Signing a digest with key 81.
    case sign
  }
}
