internal import CPCSCLite

extension ChannelError {
  /// Converts a PC/SC return code: the one place where codes become errors (PC/SC part 5 §2,
  /// pcsclite.h).
  ///
  /// - Parameter reader: the reader concerned; empty if none.
  init(_ failure: PCSCFailure, reader: String = "") {
    self =
      switch Int(failure.code) {
      case SCARD_E_NO_SERVICE:
        // A service that was there to establish the context has stopped since.
        failure.function == .establishContext ? .serviceMissing : .serviceStopped
      case SCARD_E_SERVICE_STOPPED where failure.function == .establishContext:
        // The answer of pcscd to a client of another protocol version (winscard_svc.c, CMD_VERSION).
        .serviceOfOtherVersion
      case SCARD_E_SERVICE_STOPPED, SCARD_P_SHUTDOWN, SCARD_E_SYSTEM_CANCELLED, SCARD_F_COMM_ERROR:
        // SCARD_F_COMM_ERROR means that the connection to the service broke, not the one to the
        // card.
        .serviceStopped
      case SCARD_E_NO_READERS_AVAILABLE: .noReader
      case SCARD_E_UNKNOWN_READER: .readerNotFound(reader)
      case SCARD_E_READER_UNAVAILABLE:
        failure.function == .connect ? .readerUnavailable(reader) : .readerRemoved
      case SCARD_W_SECURITY_VIOLATION: Self(denied: failure.function)
      case SCARD_E_NO_SMARTCARD:
        failure.function == .connect ? .noCard : .cardRemoved
      case SCARD_W_REMOVED_CARD: .cardRemoved
      case SCARD_W_RESET_CARD: .cardReset
      case SCARD_W_UNRESPONSIVE_CARD, SCARD_W_UNPOWERED_CARD, SCARD_W_UNSUPPORTED_CARD,
        SCARD_E_CARD_UNSUPPORTED, SCARD_E_PROTO_MISMATCH, SCARD_E_NOT_READY:
        .cardMute
      case SCARD_E_NOT_TRANSACTED, SCARD_E_COMM_DATA_LOST:
        failure.function == .transmit ? .transmissionFailed(code: failure.code) : .cardMute
      case SCARD_E_SHARING_VIOLATION: .sharingViolation
      case SCARD_E_CANCELLED, SCARD_W_CANCELLED_BY_USER: .cancelled
      case SCARD_E_TIMEOUT, SCARD_F_WAITED_TOO_LONG: Self(overdue: failure.function)
      default: .other(code: failure.code, function: failure.function.rawValue)
      }
  }

  /// True for codes that drivers return for an APDU too long for their reader:
  /// SCARD_E_INVALID_PARAMETER and SCARD_E_INSUFFICIENT_BUFFER, both seen for PACE's 264 bytes;
  /// SCARD_E_NOT_TRANSACTED is `transmissionFailed` already.
  var isOfLength: Bool {
    let codes = [SCARD_E_INVALID_PARAMETER, SCARD_E_INSUFFICIENT_BUFFER]
      .map { UInt32(truncatingIfNeeded: $0) }
    guard case .other(let code, _) = self else { return false }
    return codes.contains(code)
  }

  /// Attributes a refusal to the service's policy, which decides on contexts and connections. In
  /// other functions pcsclite returns this code if the service has reset its socket (ECONNRESET,
  /// winscard_msg.c), as a service that is killed does.
  private init(denied function: PCSCFunction) {
    self =
      switch function {
      case .establishContext, .connect: .accessDenied
      case .listReaders, .getStatusChange, .beginTransaction, .status, .transmit, .control,
        .endTransaction:
        .serviceStopped
      }
  }

  /// Attributes a call that does not return to the service, or to the card behind it.
  private init(overdue function: PCSCFunction) {
    self =
      switch function {
      case .establishContext, .listReaders, .getStatusChange: .serviceUnresponsive
      case .beginTransaction: .sharingViolation
      case .connect, .status, .transmit, .control, .endTransaction: .cardMute
      }
  }
}
