internal import CIECard

/// The failure of a function of the card: the return value for the host and an explanation for the
/// log.
struct CardFailure: Error {
  let value: ReturnValue
  /// For the log; never anything secret.
  let explanation: String

  init(_ value: ReturnValue, _ explanation: String) {
    self.value = value
    self.explanation = explanation
  }
}

extension CardFailure {
  init(_ error: CardError) {
    self.init(error.reason, at: error.step.rawValue)
  }

  init(_ error: ChannelError) {
    self.init(.channel(error), at: "open-card")
  }

  private init(_ reason: CardError.Reason, at step: String) {
    explanation = "\(step): \(reason)"
    switch reason {
    case .channel(let error): value = Self.value(of: error)
    case .wrongCode(_, let tries): value = tries == 0 ? .pinLocked : .pinIncorrect
    // The last try is never spent here; `cie-read pin verify --allow-last-try` can do it.
    case .blocked, .lastTryRefused: value = .pinLocked
    case .notACIE: value = .tokenNotRecognized
    case .outcomeUnknown(let because): value = Self(because, at: step).value
    case .refused, .malformed, .notBelieved, .channelEnded, .endlessAnswer, .unsafeParameters,
      .chipNotAuthentic, .notGenuine, .genuinenessUnknown, .wrongAccessCode, .accessRefused,
      .accessCodeBlocked, .lastAccessTryRefused, .extendedLengthNeeded, .noAccessProtocol,
      .signatureFalse, .certificate, .crypto:
      value = .deviceError
    }
  }

  private static func value(of error: ChannelError) -> ReturnValue {
    switch error {
    case .noReader, .readerNotFound, .readerRemoved, .noCard, .cardRemoved: .deviceRemoved
    case .cancelled: .functionCanceled
    case .serviceMissing, .serviceStopped, .serviceUnresponsive, .serviceOfOtherVersion,
      .accessDenied, .readerAmbiguous, .readerUnavailable,
      .cardMute, .transmissionFailed, .cardReset, .sharingViolation, .truncatedResponse,
      .lengthNotCarried, .replayMismatch, .withheld, .other:
      .deviceError
    }
  }
}
