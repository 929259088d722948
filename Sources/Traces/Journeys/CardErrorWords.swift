package import CIECard

extension Trace.Expectation {
  /// The form of an error in a trace: the error, its step, and the remaining tries if the card
  /// reported them.
  init(_ error: CardError) {
    var values: [Value] = []
    switch error.reason {
    case .wrongCode(_, let tries?), .wrongAccessCode(_, let tries?):
      values.append(.triesLeft(tries))
    default: break
    }
    self.init(.error(name: error.reason.word, step: error.step), values: values)
  }
}

extension CardError.Reason {
  /// One word for a file or a script.
  package var word: String {
    switch self {
    case .channel(let error): "channel-\(error.word)"
    case .notACIE: "not-a-cie"
    case .refused(let status): "refused-\(status)"
    case .malformed(let malformation): "malformed-\(malformation.rawValue)"
    case .notBelieved(let error): "not-believed-\(error.word)"
    case .channelEnded(let status): "channel-ended-\(status)"
    case .endlessAnswer: "endless-answer"
    case .unsafeParameters(let parameter): "unsafe-\(parameter.rawValue)"
    case .chipNotAuthentic: "chip-not-authentic"
    case .notGenuine: "not-genuine"
    case .genuinenessUnknown: "genuineness-unknown"
    case .outcomeUnknown: "outcome-unknown"
    case .wrongCode(let code, _): "wrong-\(code.rawValue)"
    case .blocked(let code): "blocked-\(code.rawValue)"
    case .lastTryRefused(let code): "last-try-refused-\(code.rawValue)"
    case .wrongAccessCode(let kind, _): "wrong-\(kind.rawValue)"
    case .accessRefused(let kind, let status): "\(kind.rawValue)-refused-\(status)"
    case .accessCodeBlocked(let kind): "blocked-\(kind.rawValue)"
    case .lastAccessTryRefused(let kind): "last-try-refused-\(kind.rawValue)"
    case .extendedLengthNeeded: "extended-length-needed"
    case .noAccessProtocol: "no-access-protocol"
    case .signatureFalse: "signature-false"
    case .certificate: "certificate"
    case .crypto: "crypto"
    }
  }
}

extension ChannelError {
  var word: String {
    switch self {
    case .serviceMissing: "service-missing"
    case .serviceStopped: "service-stopped"
    case .serviceUnresponsive: "service-not-answering"
    case .serviceOfOtherVersion: "service-of-other-version"
    case .accessDenied: "access-denied"
    case .noReader: "no-reader"
    case .readerNotFound: "reader-not-found"
    case .readerAmbiguous: "reader-ambiguous"
    case .readerRemoved: "reader-removed"
    case .readerUnavailable: "reader-unavailable"
    case .noCard: "no-card"
    case .cardRemoved: "card-removed"
    case .cardMute: "card-mute"
    case .transmissionFailed: "transmission-failed"
    case .cardReset: "card-reset"
    case .sharingViolation: "sharing-violation"
    case .truncatedResponse: "truncated-response"
    case .lengthNotCarried: "length-not-carried"
    case .replayMismatch: "replay-mismatch"
    case .cancelled: "cancelled"
    case .withheld: "withheld"
    case .other: "other"
    }
  }
}

extension CardError.SecureMessagingError {
  fileprivate var word: String {
    switch self {
    case .closed: "closed"
    case .unprotected: "unprotected"
    case .malformed: "malformed"
    case .missingStatus: "missing-status"
    case .missingMAC: "missing-mac"
    case .wrongMAC: "wrong-mac"
    case .wrongPadding: "wrong-padding"
    }
  }
}
