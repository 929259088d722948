internal import CPCSCLite

extension PCSCContext {
  /// Connects to the card in a reader and begins a transaction: the card is ours until the channel goes away.
  ///
  /// - Parameter reader: its exact name.
  /// - Throws: `readerNotFound`; `readerUnavailable`; `noCard`; `cardMute` when the card does not answer to reset;
  ///   `sharingViolation` when another program does not let go of it in time.
  public func connect(to reader: String) throws(ChannelError) -> PCSCContext.Channel {
    guard let status = try status(of: [ReaderStatus(name: reader)])?.first, !status.isGone else {
      throw .readerNotFound(reader)
    }
    guard !status.isUnavailable else { throw .readerUnavailable(reader) }
    guard status.hasCard else { throw .noCard }
    let opened: OpenedCard
    do throws(ChannelError) {
      opened = try call(.connect, reader: reader, within: patience.connect) {
        service, context throws(PCSCFailure) in
        try OpenedCard.open(in: reader, context: context, service: service)
      }
    } catch .cardMute where status.isInUse {
      // Connecting waits while another program holds a transaction.
      throw .sharingViolation
    }
    return PCSCContext.Channel(
      traits: opened.traits, reader: reader, context: self, card: opened.card)
  }
}

/// A card that was just connected to, our transaction begun.
struct OpenedCard: Sendable {
  let card: CardConnection
  let traits: ChannelTraits

  /// Connects and begins the transaction.
  ///
  /// A program that has just finished may have reset the card while we waited for our turn; then we connect anew.
  static func open(
    in reader: String, context: Int, service: any PCSCService, tries: Int = 3
  ) throws(PCSCFailure) -> OpenedCard {
    let card = try connect(in: reader, context: context, service: service)
    do throws(PCSCFailure) {
      try service.beginTransaction(card.handle)
      let atr = try service.answerToReset(card.handle)
      let extendedLength = extendedLength(of: card, service: service)
      return OpenedCard(
        card: card, traits: ChannelTraits(atr: atr, extendedLength: extendedLength))
    } catch {
      service.disconnect(card.handle, .leave)
      let wasReset = error.code == UInt32(truncatingIfNeeded: SCARD_W_RESET_CARD)
      guard wasReset, tries > 1 else { throw error }
      return try open(in: reader, context: context, service: service, tries: tries - 1)
    }
  }

  /// T=0 or T=1, as the card prefers; raw only where neither goes, since asking libpcsclite for it as one of
  /// several means to get it.
  private static func connect(
    in reader: String, context: Int, service: any PCSCService
  ) throws(PCSCFailure) -> CardConnection {
    do throws(PCSCFailure) {
      return try service.connect(context, reader: reader, protocols: [.t0, .t1])
    } catch {
      guard error.code == UInt32(truncatingIfNeeded: SCARD_E_PROTO_MISMATCH) else { throw error }
      return try service.connect(context, reader: reader, protocols: [.raw])
    }
  }

  /// What the driver says (PC/SC part 10); many say nothing.
  private static func extendedLength(
    of card: CardConnection, service: any PCSCService
  ) -> ChannelTraits.ExtendedLength {
    guard card.activeProtocol != .t0 else { return .notCarried }
    guard
      let features = try? service.control(
        card.handle, code: ReaderProperties.featureRequest, input: []),
      let request = ReaderProperties.propertiesRequest(in: features),
      let properties = try? service.control(card.handle, code: request, input: [])
    else { return .unknown }
    return ReaderProperties.extendedLength(in: properties)
  }
}
