internal import CIECard

extension CardError {
  /// For the log; never anything secret.
  var explanation: String { "\(step.rawValue): \(reason)" }
}

extension ReturnValue {
  /// The value for the host, which says less than the reason.
  init(_ reason: CardError.Reason) {
    switch reason {
    case .channel(let error): self.init(error)
    case .wrongCode(_, let tries): self = tries == 0 ? .pinLocked : .pinIncorrect
    // The last try is never spent here; `cie-read pin verify --allow-last-try` can do it.
    case .blocked, .lastTryRefused: self = .pinLocked
    case .notACIE: self = .tokenNotRecognized
    case .outcomeUnknown(let because): self.init(because)
    case .refused, .malformed, .notBelieved, .channelEnded, .endlessAnswer, .unsafeParameters,
      .chipNotAuthentic, .notGenuine, .genuinenessUnknown, .wrongAccessCode, .accessRefused,
      .accessCodeBlocked, .lastAccessTryRefused, .extendedLengthNeeded, .noAccessProtocol,
      .signatureFalse, .certificate, .crypto:
      self = .deviceError
    }
  }

  private init(_ error: ChannelError) {
    switch error {
    case .noReader, .readerNotFound, .readerRemoved, .noCard, .cardRemoved: self = .deviceRemoved
    case .cancelled: self = .functionCanceled
    case .serviceMissing, .serviceStopped, .serviceUnresponsive, .serviceOfOtherVersion,
      .accessDenied, .readerAmbiguous, .readerUnavailable,
      .cardMute, .transmissionFailed, .cardReset, .sharingViolation, .truncatedResponse,
      .lengthNotCarried, .replayMismatch, .withheld, .other:
      self = .deviceError
    }
  }
}
