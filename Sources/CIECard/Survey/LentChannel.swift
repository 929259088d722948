/// A channel lent to one experiment after the other: the end of a loan neither closes the channel
/// nor resets the card.
struct LentChannel<Channel: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private let owner: Owner

  /// Keeps the channel, which is closed with the last loan.
  final class Owner {
    fileprivate var channel: Channel

    init(_ channel: consuming Channel) { self.channel = channel }

    var traits: ChannelTraits { channel.traits }

    func lend() -> LentChannel { LentChannel(owner: self) }
  }

  private init(owner: Owner) { self.owner = owner }

  var traits: ChannelTraits { owner.channel.traits }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    try owner.channel.transmit(command)
  }

  mutating func powerCycle() throws(ChannelError) -> Bool { try owner.channel.powerCycle() }
}
