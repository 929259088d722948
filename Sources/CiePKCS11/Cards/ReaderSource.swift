package import CIECard

/// Source of readers and cards: PC/SC, or a simulation in the tests.
package protocol ReaderSource: Sendable {
  /// The current readers; empty if the service is not available.
  func readers() -> [PCSCContext.Reader]

  /// The reason why there are no readers; nil if the service is available.
  func problem() -> ChannelError?

  /// Opens the card in a reader.
  ///
  /// - Parameter patience: the time to wait if another program holds the card.
  func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel

  /// Waits until readers or cards may have changed, or until it is cancelled.
  func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation)
}

/// Time to wait for a card that another program holds.
package enum CardPatience: Sendable {
  /// A host wants to know which card is there, perhaps at its start: it does not wait for other
  /// programs.
  case look
  /// The user has typed a PIN.
  case use
}

extension ReaderSource {
  package func problem() -> ChannelError? { nil }
}
