package import CIECard

/// A channel whose exchanges pass through a function, for measurements and attacks.
package struct InterposedChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  /// Takes a command and the exchange with the wrapped channel; returns the answer for the client.
  package typealias Exchange = (
    _ command: [UInt8], _ send: () throws(ChannelError) -> [UInt8]
  ) throws(ChannelError) -> [UInt8]

  private var inner: Inner
  private let exchange: Exchange

  package var traits: ChannelTraits { inner.traits }

  package init(_ inner: consuming Inner, _ exchange: @escaping Exchange) {
    self.inner = inner
    self.exchange = exchange
  }

  package mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    try exchange(command) { () throws(ChannelError) in try inner.transmit(command) }
  }

  package mutating func powerCycle() throws(ChannelError) -> Bool { try inner.powerCycle() }
}
