extension AuthenticityReport.Kind {
  /// One word for a file or a script.
  package var word: String {
    switch self {
    case .signature: "signature"
    case .signerChain: "signer-chain"
    case .signerValidity: "signer-validity"
    case .hash(.servicesNumber): "hash-services-number"
    case .hash(.documentNumber): "hash-document-number"
    case .hash(.certificate): "hash-certificate"
    case .hash(.deviceKey): "hash-device-key"
    case .hash(.servicesKey): "hash-services-key"
    case .hash(.dhParameters): "hash-dh-parameters"
    case .challenge: "challenge"
    }
  }
}

extension AuthenticityReport.Verdict {
  /// One word for a file or a script.
  package var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .couldNotCheck: "could-not-check"
    }
  }
}
