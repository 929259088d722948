/// The way to one card: command bytes out, response bytes back.
///
/// What conforms: a PC/SC reader, the software card in the same process, a recorded conversation, and the
/// recorder that wraps any of them. Letting go of a channel closes it and resets the card.
public protocol CardChannel: ~Copyable {
  /// What is known about the card and the way to it before the first command.
  var traits: ChannelTraits { get }

  /// Sends one command APDU and returns the response APDU, status word included.
  ///
  /// - Parameter command: a complete C-APDU (ISO/IEC 7816-3 §12.1), short or extended.
  /// - Returns: the complete R-APDU as it came: at least two bytes, the last two the status word.
  /// - Throws: `ChannelError` when no such answer came back.
  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8]

  /// Takes the power off the card for half a second or more, as if it had been lifted from the reader.
  ///
  /// - Returns: whether there was power to take off; `false` leaves the card as it is.
  /// - Throws: `ChannelError` when the card did not come back; the channel cannot be used any more then.
  mutating func powerCycle() throws(ChannelError) -> Bool
}

extension CardChannel where Self: ~Copyable {
  /// A way to a card that cannot take its power off, such as a phone's.
  public mutating func powerCycle() throws(ChannelError) -> Bool { false }
}

/// What a channel knows before the first command.
public struct ChannelTraits: Sendable, Equatable {
  /// The answer to reset, complete (ISO/IEC 7816-3 §8; PC/SC part 3 for contactless cards).
  public let atr: [UInt8]
  /// Whether the reader carries extended-length APDUs.
  public let extendedLength: ExtendedLength
  /// Whether the reader has a keypad on which it would take a PIN itself (PC/SC part 10 §2.5.2). No CIE can be shown one
  /// that way: its PIN goes through the secure channel, whose keys the reader has not.
  package internal(set) var hasKeypad = false

  /// The traits of a channel.
  public init(atr: [UInt8], extendedLength: ExtendedLength) {
    self.atr = atr
    self.extendedLength = extendedLength
  }

  /// What the reader says of APDUs longer than the short form (PC/SC part 10 §2.6.14, dwMaxAPDUDataSize).
  public enum ExtendedLength: Sendable, Equatable {
    /// Only short APDUs.
    case notCarried
    /// The driver does not say: try once and step down.
    case unknown
    /// Carried, with at most this many data bytes in a command or a response (256 < n ≤ 65 536).
    case carried(maximumDataLength: Int)
  }
}

/// What went wrong before the card could answer.
public enum ChannelError: Error, Sendable, Equatable {
  /// The PC/SC service is not running (SCARD_E_NO_SERVICE).
  case serviceMissing
  /// The PC/SC service stopped while it was in use.
  case serviceStopped
  /// The PC/SC service does not let this user at readers or cards (SCARD_W_SECURITY_VIOLATION: polkit said no).
  case accessDenied
  /// No reader is connected.
  case noReader
  /// No reader has this name or number.
  case readerNotFound(String)
  /// Several readers fit the name; they are listed.
  case readerAmbiguous(String, [String])
  /// The reader was unplugged.
  case readerRemoved
  /// The service lists the reader and cannot speak to it: no card is looked for in it.
  case readerUnavailable(String)
  /// No card came within the time given, or none lies on the reader.
  case noCard
  /// The card left the reader.
  case cardRemoved
  /// The card is there and does not answer: at reset, or in the middle of a command.
  case cardMute
  /// The card is there, and a short command did not get across; the PC/SC return code. Only a reset mends it.
  case transmissionFailed(code: UInt32)
  /// Another program reset the card under us.
  case cardReset
  /// Another program holds the card for itself.
  case sharingViolation
  /// The answer has fewer than the two bytes of a status word.
  case truncatedResponse(length: Int)
  /// The reader or its driver cannot carry an APDU of this length, or did not get it across: no PC/SC return code
  /// tells the two apart.
  case lengthNotCarried(length: Int)
  /// A replayed conversation does not go on like this.
  case replayMismatch(line: Int, detail: String)
  /// The waiting was cancelled; a command may have been sent.
  case cancelled
  /// The command was not sent: whoever runs the program wanted no more of them.
  case withheld
  /// Any other PC/SC return code, as it came.
  case other(code: UInt32, function: String)
}
