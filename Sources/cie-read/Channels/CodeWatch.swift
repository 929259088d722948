import CIECard
import Messages
import Synchronization

/// Looks after one conversation: whether it may be begun anew when it breaks off.
final class CodeWatch: Sendable {
  private struct State {
    var hasSentCode = false
    var hasLostTransmission = false
  }

  private let state = Mutex(State())

  /// A command or its answer was lost on the way, and nothing that costs a try went to the card: once a PIN or PUK may
  /// have been sent, nothing is ever sent again.
  var allowsStartingOver: Bool {
    state.withLock { $0.hasLostTransmission && !$0.hasSentCode }
  }

  /// VERIFY, CHANGE REFERENCE DATA and RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5); secure messaging leaves INS clear.
  func note(_ command: [UInt8]) {
    guard command.count < 2 || [0x20, 0x21, 0x24, 0x2C].contains(command[1]) else { return }
    state.withLock { $0.hasSentCode = true }
  }

  /// What came in place of an answer.
  func note(_ error: ChannelError, on traits: ChannelTraits) {
    guard error.isLostTransmission(on: traits) else { return }
    state.withLock { $0.hasLostTransmission = true }
  }
}

extension ChannelError {
  /// Whether the same conversation may go well after a reset. A long command that does not get across is a matter of
  /// its length, unless the reader says that it carries such.
  fileprivate func isLostTransmission(on traits: ChannelTraits) -> Bool {
    switch self {
    case .transmissionFailed, .cardReset: true
    case .lengthNotCarried(let length):
      if case .carried(let maximum) = traits.extendedLength { length <= maximum } else { false }
    case .serviceMissing, .serviceStopped, .accessDenied, .noReader, .readerNotFound,
      .readerAmbiguous, .readerRemoved, .readerUnavailable, .noCard, .cardRemoved, .cardMute,
      .sharingViolation, .truncatedResponse, .replayMismatch, .cancelled, .withheld, .other:
      false
    }
  }
}

extension Failure {
  /// Whether the way to the card may be what failed, rather than the card or the person.
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
