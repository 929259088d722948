import CIECard
import VirtualCIE

/// A software card that some commands do not reach, because the channel answers them.
struct AlteredCard: CardChannel, ~Copyable {
  private var card: VirtualCardChannel
  private let answer: (_ command: [UInt8], _ index: Int) -> [UInt8]?
  private var index = 0

  var traits: ChannelTraits { card.traits }

  init(
    _ card: consuming VirtualCardChannel,
    answering answer: @escaping (_ command: [UInt8], _ index: Int) -> [UInt8]?
  ) {
    self.card = card
    self.answer = answer
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    defer { index += 1 }
    if let given = answer(command, index) { return given }
    return try card.transmit(command)
  }
}
