internal import CPCSCLite

extension PCSCContext {
  /// Connects to the card in a reader and begins a transaction: access is exclusive until the
  /// channel is closed.
  ///
  /// - Parameter reader: its exact name.
  /// - Throws: `readerNotFound`; `readerUnavailable`; `noCard`; `cardMute` if the card does not
  ///   answer to reset; `sharingViolation` if another program does not release it in time.
  public func connect(to reader: String) throws(ChannelError) -> Channel {
    try connect(to: reader, releasedWithin: .zero) {}
  }

  /// - Parameters:
  ///   - limit: the time limit for a card that another program uses, if it is longer than that of any card.
  ///   - report: called before the wait for such a card.
  func connect(
    to reader: String, releasedWithin limit: Duration, _ report: () -> Void
  ) throws(ChannelError) -> Channel {
    guard let status = try status(of: [ReaderStatus(name: reader)])?.first, !status.isGone else {
      throw .readerNotFound(reader)
    }
    guard !status.isUnavailable else { throw .readerUnavailable(reader) }
    guard status.hasCard else { throw .noCard }
    let opened: OpenedCard
    do throws(ChannelError) {
      let isLong = status.isInUse && limit > patience.connect
      if isLong { report() }
      opened = try call(
        .connect, reader: reader, within: isLong ? limit : patience.connect
      ) {
        service, context throws(PCSCFailure) in
        try OpenedCard.open(in: reader, context: context, service: service)
      }
    } catch .cardMute where status.isInUse {
      // Connecting blocks while another program holds a transaction.
      throw .sharingViolation
    }
    return Channel(
      traits: opened.traits, reader: reader, context: self, card: opened.card)
  }
}

/// A connected card with our transaction.
struct OpenedCard: Sendable {
  let card: CardConnection
  let traits: ChannelTraits

  /// Connects and begins the transaction.
  ///
  /// A program that has just finished may have reset the card while we waited; then we reconnect.
  static func open(
    in reader: String, context: Int, service: any PCSCService, tries: Int = 3
  ) throws(PCSCFailure) -> OpenedCard {
    let card = try connect(in: reader, context: context, service: service)
    do throws(PCSCFailure) {
      try service.beginTransaction(card.handle)
      let atr = try service.answerToReset(card.handle)
      return OpenedCard(card: card, traits: traits(of: card, atr, service: service))
    } catch {
      service.disconnect(card.handle, .leave)
      let wasReset = error.code == UInt32(truncatingIfNeeded: SCARD_W_RESET_CARD)
      guard wasReset, tries > 1 else { throw error }
      return try open(in: reader, context: context, service: service, tries: tries - 1)
    }
  }

  /// T=0 or T=1, as the card prefers; raw only if neither works, because libpcsclite chooses raw
  /// whenever it is among the protocols requested.
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

  /// Properties from the driver (PC/SC part 10); many drivers have none.
  private static func traits(
    of card: CardConnection, _ atr: [UInt8], service: any PCSCService
  ) -> ChannelTraits {
    guard card.activeProtocol != .t0 else {
      return ChannelTraits(atr: atr, extendedLength: .notCarried)
    }
    let features = try? service.control(
      card.handle, code: ReaderProperties.featureRequest, input: [])
    let request = features.flatMap(ReaderProperties.propertiesRequest)
    let properties = request.flatMap {
      try? service.control(card.handle, code: $0, input: [])
    }
    var traits = ChannelTraits(
      atr: atr,
      extendedLength: properties.map(ReaderProperties.extendedLength) ?? .unknown)
    traits.hasKeypad = features.map(ReaderProperties.hasKeypad) ?? false
    return traits
  }
}

/// The driver's information on its reader (PC/SC part 10 §2.6: FEATURE_GET_TLV_PROPERTIES).
enum ReaderProperties {
  /// SCardControl's code for the list of features (PC/SC part 10 §2.2: CM_IOCTL_GET_FEATURE_REQUEST);
  /// libpcsclite's form of it, SCARD_CTL_CODE(3400).
  static let featureRequest: UInt32 = 0x4200_0000 + 3400

  /// The control code for the properties, from the list of features; nil if the driver has none.
  ///
  /// Every feature is a tag, the length 4 and a control code, big-endian (PC/SC part 10 §2.2).
  static func propertiesRequest(in features: [UInt8]) -> UInt32? {
    guard let value = value(of: UInt8(FEATURE_GET_TLV_PROPERTIES), in: features), value.count == 4
    else { return nil }
    return value.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// True if the reader verifies PINs itself (PC/SC part 10 §2.5.2: FEATURE_VERIFY_PIN_DIRECT).
  static func hasKeypad(_ features: [UInt8]) -> Bool {
    value(of: UInt8(FEATURE_VERIFY_PIN_DIRECT), in: features) != nil
  }

  /// Support of extended length by the properties (PC/SC part 10 §2.6.14: dwMaxAPDUDataSize, tag
  /// 0A).
  ///
  /// The number is little-endian; up to 256 means that only short APDUs are carried.
  static func extendedLength(in properties: [UInt8]) -> ChannelTraits.ExtendedLength {
    guard let value = value(of: 0x0A, in: properties), (1...4).contains(value.count) else {
      return .unknown
    }
    let size = value.reversed().reduce(0) { $0 << 8 | Int($1) }
    return size <= 256 ? .notCarried : .carried(maximumDataLength: min(size, 65_536))
  }

  /// The value of a tag in a list of one-byte tags and lengths; nil if it is absent or truncated.
  private static func value(of tag: UInt8, in list: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = list[...]
    while let found = rest.popFirst(), let length = rest.popFirst(), rest.count >= length {
      if found == tag { return rest.prefix(Int(length)) }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }
}
