import CIECard

/// A channel on which answers are damaged at random: a byte changed, the end cut off, an answer said again.
struct DisturbedChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private var inner: Inner
  private var random: SystemRandomNumberGenerator
  private var last: [UInt8] = []
  /// How many answers in a hundred are damaged.
  private let share: Int

  var traits: ChannelTraits { inner.traits }

  init(_ inner: consuming Inner, share: Int) {
    self.inner = inner
    self.share = share
    random = SystemRandomNumberGenerator()
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    var answer = try inner.transmit(command)
    defer { last = answer }
    guard Int.random(in: 0..<100, using: &random) < share else { return answer }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      answer.removeLast(Int.random(in: 0...answer.count, using: &random))
    case 1 where !last.isEmpty:
      answer = last
    default:
      if let index = answer.indices.randomElement(using: &random) {
        answer[index] ^= UInt8.random(in: 1...255, using: &random)
      }
    }
    return answer
  }

  mutating func powerCycle() throws(ChannelError) -> Bool { try inner.powerCycle() }
}
