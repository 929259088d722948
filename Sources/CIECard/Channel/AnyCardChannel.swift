/// A type-erased card channel, for programs that choose it at run time.
package struct AnyCardChannel: CardChannel, ~Copyable {
  private let link: any Link
  private let isPresent: @Sendable () -> Bool

  /// Takes over a channel, which is closed with this one.
  ///
  /// - Parameter isPresent: returns true while the original card is still there.
  package init<Channel: CardChannel & ~Copyable>(
    _ channel: consuming Channel, isPresent: @escaping @Sendable () -> Bool = { true }
  ) {
    link = ChannelLink(channel)
    self.isPresent = isPresent
  }

  /// Lends the channel: the end of a loan neither closes the channel nor resets the card, as long as this value is there.
  borrowing func lend() -> AnyCardChannel { AnyCardChannel(link: link, isPresent: isPresent) }

  private init(link: any Link, isPresent: @escaping @Sendable () -> Bool) {
    self.link = link
    self.isPresent = isPresent
  }

  /// A function that checks, without a command, that the original card is still there.
  package borrowing func presence() -> @Sendable () -> Bool { isPresent }

  package var traits: ChannelTraits { link.traits }

  package func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    try link.transmit(command)
  }

  package func powerCycle() throws(ChannelError) -> Bool { try link.powerCycle() }
}

private protocol Link: AnyObject {
  var traits: ChannelTraits { get }
  func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8]
  func powerCycle() throws(ChannelError) -> Bool
}

/// Owner of the channel, which is closed when this object is released.
private final class ChannelLink<Channel: CardChannel & ~Copyable>: Link {
  private var channel: Channel

  init(_ channel: consuming Channel) { self.channel = channel }

  var traits: ChannelTraits { channel.traits }

  func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    try channel.transmit(command)
  }

  func powerCycle() throws(ChannelError) -> Bool { try channel.powerCycle() }
}
