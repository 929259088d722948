/// The way to a card, whatever leads there: for a program that decides only when it runs.
package struct AnyCardChannel: CardChannel, ~Copyable {
  private let link: any Link

  /// Takes over a channel; letting go of this one closes it.
  package init<Channel: CardChannel & ~Copyable>(_ channel: consuming Channel) {
    link = ChannelLink(channel)
  }

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

/// Owns the channel; whoever lets go of it closes it.
private final class ChannelLink<Channel: CardChannel & ~Copyable>: Link {
  private var channel: Channel

  init(_ channel: consuming Channel) { self.channel = channel }

  var traits: ChannelTraits { channel.traits }

  func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    try channel.transmit(command)
  }

  func powerCycle() throws(ChannelError) -> Bool { try channel.powerCycle() }
}
