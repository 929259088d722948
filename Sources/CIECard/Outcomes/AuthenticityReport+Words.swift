extension AuthenticityReport.Kind {
  /// One word for a file or a script, which does not change.
  public var word: String {
    switch self {
    case .signature: "signature"
    case .signerChain: "signer-chain"
    case .signerDocumentType: "signer-document-type"
    case .signerValidity: "signer-validity"
    case .signerValidityAtIssue: "signer-validity-at-issue"
    case .hash(.servicesNumber): "hash-services-number"
    case .hash(.documentNumber): "hash-document-number"
    case .hash(.certificate): "hash-certificate"
    case .hash(.deviceKey): "hash-device-key"
    case .hash(.servicesKey): "hash-services-key"
    case .hash(.dhParameters): "hash-dh-parameters"
    case .challenge: "challenge"
    case .dataGroup(let group): "hash-\(group.name)"
    case .chipAuthentication: "chip-authentication"
    case .activeAuthentication: "active-authentication"
    case .announcement: "announcement"
    case .openedZone: "opened-zone"
    case .issuingState: "issuing-state"
    case .certificateNames: "certificate-names"
    case .receiversChallenge: "receivers-challenge"
    case .audience: "audience"
    case .age: "age"
    case .sameCard: "same-card"
    case .holder: "holder"
    case .terminal: "terminal"
    case .requiredSide(.travelDocument): "required-document"
    case .requiredSide(.ias): "required-ias"
    }
  }
}

extension AuthenticityReport.Verdict {
  /// One word for a file or a script, which does not change.
  public var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "known-production-fault"
    case .couldNotCheck: "could-not-check"
    }
  }
}

extension AuthenticityReport.Outcome {
  /// One word for a file or a script, which does not change.
  public var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "known-production-fault"
    case .couldNotCheck: "could-not-check"
    }
  }
}
