import CIECard

/// A channel that sends no further command once a signal has come, or the time is up. The command that is running comes to its end.
struct InterruptibleChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private var inner: Inner
  private let interruption: Interruption

  var traits: ChannelTraits { inner.traits }

  init(_ inner: consuming Inner, _ interruption: Interruption) {
    self.inner = inner
    self.interruption = interruption
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard !interruption.isOver else { throw .cancelled }
    return try inner.transmit(command)
  }

  mutating func powerCycle() throws(ChannelError) -> Bool {
    guard interruption.signal == nil else { throw .cancelled }
    return try inner.powerCycle()
  }
}
