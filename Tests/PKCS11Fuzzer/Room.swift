package import CIECard
package import CiePKCS11
internal import Synchronization
package import VirtualCIE

/// Readers and software cards without any hardware.
package final class Room: ReaderSource {
  private let state = Mutex(State())
  private let change = Mutex(Signal())

  private struct State {
    var readers: [PCSCContext.Reader] = []
    var cards: [String: VirtualCard] = [:]
    var refusal: ChannelError?
    var openings = 0
    var whileWaiting: (@Sendable () -> Void)?
  }

  package init() {}

  /// The number of times that a card was opened.
  package var openings: Int { state.withLock { $0.openings } }

  package func plugIn(_ name: String) {
    edit { $0.readers.append(Self.reader(name, 0, isOccupied: false)) }
  }

  package func unplug(_ name: String) { edit { $0.readers.removeAll { $0.name == name } } }

  /// Puts a card into a reader in place of the present one.
  package func insert(_ card: VirtualCard, _ name: String) {
    edit { state in
      state.cards[name] = card
      Self.touch(&state, name, isOccupied: true)
    }
  }

  /// Exchanges the card without a difference at the service: its reader was pulled and counts from the start.
  package func exchange(_ card: VirtualCard, _ name: String) {
    edit { $0.cards[name] = card }
  }

  package func remove(_ name: String) {
    edit { state in
      state.cards[name] = nil
      Self.touch(&state, name, isOccupied: false)
    }
  }

  /// Lets every opening fail.
  package func refuse(_ error: ChannelError?) { state.withLock { $0.refusal = error } }

  /// Takes the card out, or puts it back.
  package func touch(_ name: String) {
    edit { state in
      let isOccupied = state.readers.contains { $0.name == name && $0.answerToReset != nil }
      Self.touch(&state, name, isOccupied: !isOccupied)
    }
  }

  /// Sets an action for the beginning of each wait for a change.
  package func whileWaiting(_ happens: (@Sendable () -> Void)?) {
    state.withLock { $0.whileWaiting = happens }
  }

  package func readers() -> [PCSCContext.Reader] { state.withLock { $0.readers } }

  package func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel
  {
    let (refusal, card) = state.withLock { state in
      state.openings += 1
      return (state.refusal, state.cards[reader])
    }
    if let refusal { throw refusal }
    guard let card else { throw .noCard }
    let identity = ObjectIdentifier(card)
    return AnyCardChannel(VirtualCardChannel(card)) { [self] in
      state.withLock { $0.cards[reader].map { ObjectIdentifier($0) } == identity }
    }
  }

  package func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation) {
    let signal = change.withLock { $0 }
    cancellation.ending({ signal.signal() }) {
      state.withLock { $0.whileWaiting }?()
      guard readers() == known else { return }
      signal.wait(atMost: .seconds(60))
    }
  }

  private func edit(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    change.withLock { signal in
      signal.signal()
      signal = Signal()
    }
  }

  private static func touch(_ state: inout State, _ name: String, isOccupied: Bool) {
    guard let index = state.readers.firstIndex(where: { $0.name == name }) else { return }
    let count = state.readers[index].eventCount &+ 1
    state.readers[index] = reader(name, count, isOccupied: isOccupied)
  }

  private static func reader(_ name: String, _ count: UInt16, isOccupied: Bool)
    -> PCSCContext.Reader
  {
    PCSCContext.Reader(
      name: name, answerToReset: isOccupied ? [0x3B, 0x00] : nil, isAvailable: true,
      eventCount: count)
  }
}
