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
