import CIECard
import Messages
import Synchronization

/// A watch over one conversation: it decides whether the conversation may restart when it breaks off.
final class CodeWatch: Sendable {
  private struct State {
    var hasSentCode = false
    var hasLostTransmission = false
    var hasAnswered = false
    var wasExchanged = false
    var isSilent = false
  }

  private let state = Mutex(State())

  /// True after a command or its answer was lost, if no command with a code went to the card: once a PIN or PUK may
  /// have been sent, the conversation never restarts.
  var allowsStartingOver: Bool {
    state.withLock { $0.hasLostTransmission && !$0.hasSentCode }
  }

  /// True if the card was gone at the first command already: the card that was found has been exchanged since, and the
  /// present one has received no command.
  var wasExchanged: Bool { state.withLock { $0.wasExchanged } }

  /// True after a command without an answer.
  var isSilent: Bool { state.withLock { $0.isSilent } }

  func noteAnswer() { state.withLock { $0.hasAnswered = true } }

  /// VERIFY, CHANGE REFERENCE DATA and RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5); secure messaging leaves INS clear.
  func note(_ command: [UInt8]) {
    guard command.count < 2 || [0x20, 0x21, 0x24, 0x2C].contains(command[1]) else { return }
    state.withLock { $0.hasSentCode = true }
  }

  /// Notes an error in place of an answer.
  func note(_ error: ChannelError, on traits: ChannelTraits) {
    state.withLock { state in
      if error.isLostTransmission(on: traits) { state.hasLostTransmission = true }
      if !state.hasAnswered, error.isDeparture { state.wasExchanged = true }
      if error == .cardMute { state.isSilent = true }
    }
  }
}

extension ChannelError {
  /// True if the same conversation may succeed after a reset. A long command that does not get across fails because of
  /// its length, unless the reader claims to carry such.
  fileprivate func isLostTransmission(on traits: ChannelTraits) -> Bool {
    switch self {
    case .transmissionFailed, .cardReset: true
    case .lengthNotCarried(let length):
      if case .carried(let maximum) = traits.extendedLength { length <= maximum } else { false }
    case .serviceMissing, .serviceStopped, .serviceUnresponsive, .serviceOfOtherVersion,
      .accessDenied, .noReader, .readerNotFound,
      .readerAmbiguous, .readerRemoved, .readerUnavailable, .noCard, .cardRemoved, .cardMute,
      .sharingViolation, .truncatedResponse, .replayMismatch, .cancelled, .withheld, .other:
      false
    }
  }
}

extension ChannelError {
  fileprivate var isDeparture: Bool {
    switch self {
    case .cardRemoved, .cardReset, .noCard, .readerRemoved: true
    case .serviceMissing, .serviceStopped, .serviceUnresponsive, .serviceOfOtherVersion,
      .accessDenied, .noReader, .readerNotFound,
      .readerAmbiguous, .readerUnavailable, .cardMute, .transmissionFailed, .sharingViolation,
      .truncatedResponse, .lengthNotCarried, .replayMismatch, .cancelled, .withheld, .other:
      false
    }
  }
}

extension Failure {
  /// True if the connection to the card may have failed, rather than the card or the person.
  var mayComeFromTheWay: Bool {
    switch self {
    case .channel: true
    case .card(let error):
      switch error.reason {
      case .channel, .extendedLengthNeeded(nil): true
      default: false
      }
    default: false
    }
  }
}
