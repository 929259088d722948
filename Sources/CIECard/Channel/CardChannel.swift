/// A connection to one card: command bytes out, response bytes back.
///
/// Implemented by PC/SC readers, the software card in the same process, recorded conversations, and
/// the recorder that wraps any of them. Destroying a channel closes it and resets the card.
public protocol CardChannel: ~Copyable {
  /// Properties of card and connection, known before the first command.
  var traits: ChannelTraits { get }

  /// Sends one command APDU and returns the response APDU, status word included.
  ///
  /// - Parameter command: a complete C-APDU (ISO/IEC 7816-3 §12.1), short or extended.
  /// - Returns: the complete R-APDU as received: at least two bytes, the last two the status word.
  /// - Throws: `ChannelError` if there was no such response.
  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8]

  /// Powers the card off for half a second or more, as if it had been lifted from the reader.
  ///
  /// - Returns: `false` if that is not possible; the card is then unchanged.
  /// - Throws: `ChannelError` if the card did not come back; the channel is unusable then.
  mutating func powerCycle() throws(ChannelError) -> Bool
}

extension CardChannel where Self: ~Copyable {
  /// Returns false, for connections that cannot power the card off, such as a phone's.
  public mutating func powerCycle() throws(ChannelError) -> Bool { false }
}

/// Properties of a channel, known before the first command.
public struct ChannelTraits: Sendable, Equatable {
  /// The answer to reset, complete (ISO/IEC 7816-3 §8; PC/SC part 3 for contactless cards).
  public let atr: [UInt8]
  /// The reader's support of extended-length APDUs.
  public let extendedLength: ExtendedLength
  /// True if the reader has a keypad for PINs (PC/SC part 10 §2.5.2). A CIE cannot use it, because
  /// its PIN goes through the secure channel, whose keys the reader does not have.
  package internal(set) var hasKeypad = false

  /// The traits of a channel.
  public init(atr: [UInt8], extendedLength: ExtendedLength) {
    self.atr = atr
    self.extendedLength = extendedLength
  }

  /// Support of APDUs longer than the short form (PC/SC part 10 §2.6.14, dwMaxAPDUDataSize).
  public enum ExtendedLength: Sendable, Equatable {
    /// Only short APDUs.
    case notCarried
    /// The driver does not say: try once, then use short APDUs.
    case unknown
    /// Carried, with at most this many data bytes in a command or a response (256 < n ≤ 65 536).
    case carried(maximumDataLength: Int)
  }
}

/// Errors before the card could respond.
public enum ChannelError: Error, Sendable, Equatable {
  /// The PC/SC service is not running (SCARD_E_NO_SERVICE).
  case serviceMissing
  /// The PC/SC service stopped while it was in use.
  case serviceStopped
  /// The PC/SC service takes connections and does not answer.
  case serviceUnresponsive
  /// The PC/SC service speaks another version of its protocol than the client library (SCARD_E_SERVICE_STOPPED from
  /// SCardEstablishContext): they are of different releases, as a container's and its host's can be.
  case serviceOfOtherVersion
  /// The PC/SC service denies this user access to readers or cards (SCARD_W_SECURITY_VIOLATION:
  /// refused by polkit).
  case accessDenied
  /// No reader is connected.
  case noReader
  /// No reader has this name or number.
  case readerNotFound(String)
  /// Several readers match the name; they are listed.
  case readerAmbiguous(String, [String])
  /// The reader was unplugged.
  case readerRemoved
  /// The service lists the reader but cannot communicate with it, so it is not checked for a card.
  case readerUnavailable(String)
  /// No card came within the time limit, or there is none on the reader.
  case noCard
  /// The card left the reader.
  case cardRemoved
  /// The card is there but does not respond: at reset, or in the middle of a command.
  case cardMute
  /// The card is there, but a short command was not transmitted; the PC/SC return code. Only a
  /// reset helps.
  case transmissionFailed(code: UInt32)
  /// Another program reset the card during our session.
  case cardReset
  /// Another program has exclusive access to the card.
  case sharingViolation
  /// The response is shorter than the two bytes of a status word.
  case truncatedResponse(length: Int)
  /// The reader or its driver cannot carry an APDU of this length, or failed to transmit it: no
  /// PC/SC return code distinguishes the two.
  case lengthNotCarried(length: Int)
  /// A replayed conversation deviates from the recording.
  case replayMismatch(line: Int, detail: String)
  /// The wait was cancelled; a command may have been sent.
  case cancelled
  /// The command was not sent, because the caller had stopped further commands.
  case withheld
  /// Any other PC/SC return code.
  case other(code: UInt32, function: String)
}
