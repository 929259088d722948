public import CIECard

/// A software card in the same process, as a reader would present it.
public struct VirtualCardChannel: CardChannel, ~Copyable {
  private let inserted: VirtualCard
  private let known: ChannelTraits

  /// The card; its log has the commands so far.
  public var card: VirtualCard { inserted }

  /// The persona's answer to reset, and the reader's support of extended length.
  public var traits: ChannelTraits { known }

  /// Puts a card on a virtual reader.
  ///
  /// - Parameters:
  ///   - card: the card; it is reset now and when the channel is closed.
  ///   - extendedLength: the reader's support of extended-length APDUs. By default it carries all
  ///     of them, as most readers do, or none if the card neither accepts nor announces them.
  public init(_ card: VirtualCard, extendedLength: ChannelTraits.ExtendedLength? = nil) {
    inserted = card
    let isOfUse = card.takesExtendedLength || card.announcesExtendedLength
    let usual: ChannelTraits.ExtendedLength =
      isOfUse ? .carried(maximumDataLength: 65_536) : .notCarried
    known = ChannelTraits(atr: card.powerOn(), extendedLength: extendedLength ?? usual)
  }

  /// A fresh card of a persona.
  public init(
    persona: Persona, random: some RandomSource = SystemRandom(), faults: FaultPlan = FaultPlan(),
    options: CardOptions = CardOptions(), extendedLength: ChannelTraits.ExtendedLength? = nil
  ) {
    self.init(
      VirtualCard(persona: persona, random: random, faults: faults, options: options),
      extendedLength: extendedLength)
  }

  /// Passes the command to the card.
  ///
  /// - Throws: `lengthNotCarried` before the card sees the command; `truncatedResponse`,
  ///   `cardRemoved` and `cardMute` by a fault.
  public mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    switch traits.extendedLength {
    case .unknown: break
    case .notCarried:
      // Five bytes of header and length, 255 of data, one of Le; and no extended length field.
      guard command.count <= 261, !(command.count >= 7 && command[4] == 0) else {
        throw .lengthNotCarried(length: command.count)
      }
    case .carried(let maximum):
      // Header 4, long Lc 3, long Le 2.
      guard command.count <= maximum + 9 else { throw .lengthNotCarried(length: command.count) }
    }
    let response = try card.respond(to: command)
    guard response.count >= 2 else { throw .truncatedResponse(length: response.count) }
    return response
  }

  /// Powers the card off and on.
  public mutating func powerCycle() throws(ChannelError) -> Bool {
    card.powerOn()
    return true
  }

  deinit { card.reset() }
}
