package import CIECard

/// Where readers and cards come from: PC/SC, and in the tests a room without hardware.
package protocol ReaderSource: Sendable {
  /// The readers that there are; none where no service tells.
  func readers() -> [PCSCContext.Reader]

  /// Opens the card in a reader.
  ///
  /// - Parameter patience: how long another program may hold it.
  func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel

  /// Waits until readers or cards may have come or gone, or until it is cancelled.
  func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation)
}

/// How long to wait for a card that another program holds.
package enum CardPatience: Sendable {
  /// A host wants to know what lies there, perhaps at its start: it does not wait for others.
  case look
  /// A person has typed a PIN.
  case use
}

extension ReaderSource {
  /// Looks at a card: four commands, without any code, and the card is let go at once.
  ///
  /// - Returns: its services number; `nil` when it is another card, or does not answer.
  func look(at reader: String) throws(CardFailure) -> ServicesNumber? {
    let channel: AnyCardChannel
    do throws(ChannelError) { channel = try open(reader, patience: .look) } catch {
      if error == .cardMute { return nil }
      throw CardFailure(error)
    }
    var card = IdentityCard(over: channel)
    do throws(CardError) { return try card.readServicesNumber() } catch {
      switch error.reason {
      case .channel(.cardMute), .notACIE, .refused, .malformed: return nil
      default: throw CardFailure(error)
      }
    }
  }
}
