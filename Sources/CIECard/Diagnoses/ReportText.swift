public import Primitives

extension AuthenticityReport.Kind {
  /// The point to prove, as a statement.
  public var text: Message {
    if case .dataGroup(let group) = self {
      return Message("point.hash-group", ["group": group.name.uppercased()])
    }
    return Message("point.\(word)")
  }
}

extension AuthenticityReport.Verdict {
  /// The verdict, in a word or two.
  public var text: Message { Message("verdict.\(word)") }
}

extension AuthenticityReport.Cloning {
  /// The possibility that the chip is a clone, as a statement.
  public var text: Message { Message("cloning.\(rawValue)") }
}

extension AuthenticityReport.Point {
  /// The reason why it is not proved, or the remark although it is.
  public var reason: ReportReason? { verdict.reason ?? remark?.reason }
}

extension ChipFamily {
  /// The hint, for people.
  public var text: Message { Message("chip.\(rawValue)") }
}

extension CardApplication {
  /// Its name, for people.
  public var text: Message { Message("application.\(rawValue)") }
}

extension CardError.Step {
  /// The program's current step, as a line of progress.
  public var text: Message { Message("step.\(rawValue)") }

  /// True if session keys exist at this step: a malformed answer is then no longer a sign of a card that is no CIE.
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
