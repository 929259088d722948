internal import Glibc

extension PCSCContext {
  /// A card in a PC/SC reader, for us alone.
  ///
  /// We connect shared and at once begin a transaction, rather than connect exclusively: programs that merely
  /// keep a card open (a browser with a PKCS#11 module) do not lock us out, and none of them gets a command in
  /// between ours. When the channel goes away, the transaction ends with a reset of the card, in one step: no
  /// other program ever meets a card with our PIN verified. The service does the same when this process dies.
  public struct Channel: CardChannel, ~Copyable {
    private let known: ChannelTraits
    private let name: String
    private let context: PCSCContext
    private var card: CardConnection

    /// The answer to reset, and what the reader's driver says of extended length.
    public var traits: ChannelTraits { known }

    /// The name of the reader.
    public var reader: String { name }

    init(traits: ChannelTraits, reader: String, context: PCSCContext, card: CardConnection) {
      known = traits
      name = reader
      self.context = context
      self.card = card
    }

    /// Sends one command and returns the response; see `CardChannel`.
    ///
    /// - Throws: `cardRemoved`, `readerRemoved`, `cardReset`, `serviceStopped`; `cardMute` when no answer comes
    ///   for 30 seconds; `transmissionFailed` when driver or card stop in the middle, and `lengthNotCarried` when
    ///   that was an extended command.
    public mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
      let sent = try card.activeProtocol.wireForm(of: command)
      let response: [UInt8]
      do throws(ChannelError) {
        response = try context.call(.transmit, reader: reader, within: context.patience.command) {
          [card] service, _ throws(PCSCFailure) in try service.transmit(sent, to: card)
        }
      } catch {
        guard let failure = error.transmissionFailure(of: command) else { throw error }
        throw diagnosis(otherwise: failure)
      }
      // Success without a single byte is how libpcsclite tells of a card pulled while a command ran.
      guard !response.isEmpty else { throw diagnosis(otherwise: .cardRemoved) }
      guard response.count >= 2 else { throw .truncatedResponse(length: response.count) }
      return response
    }

    /// Disconnects with SCARD_UNPOWER_CARD, waits, and connects anew. A reset or SCardReconnect is not enough: CCID
    /// readers may keep the field on.
    ///
    /// - Throws: as `PCSCContext.connect`.
    public mutating func powerCycle() throws(ChannelError) -> Bool {
      let old = card
      card = try context.call(.connect, reader: reader, within: context.patience.connect) {
        [reader] service, context throws(PCSCFailure) in
        service.disconnect(old.handle, .unpower)
        usleep(Self.timeWithoutPower)
        return try OpenedCard.open(in: reader, context: context, service: service).card
      }
      return true
    }

    /// Microseconds; half a second was enough for the card that was seen, some drivers take time of their own.
    private static let timeWithoutPower: UInt32 = 600_000

    /// Why a command got no answer: the driver knows before the service does, which looks every 0.4 seconds.
    private borrowing func diagnosis(otherwise: ChannelError) -> ChannelError {
      do throws(ChannelError) {
        let now = try context.status(of: [ReaderStatus(name: reader)])?.first
        guard let now, !now.isGone else { return .readerRemoved }
        guard !now.isUnavailable else { return .readerUnavailable(reader) }
        guard now.hasCard else { return .cardRemoved }
        let change = try context.status(of: [now.seen], changedWithin: context.patience.removal)
        guard let change = change?.first else { return otherwise }
        if change.isUnavailable { return .readerUnavailable(reader) }
        return change.isGone ? .readerRemoved : .cardRemoved
      } catch .readerNotFound {
        return .readerRemoved
      } catch {
        return otherwise
      }
    }

    deinit {
      try? context.call(.endTransaction, within: context.patience.service) {
        [card] service, _ throws(PCSCFailure) in
        do throws(PCSCFailure) {
          try service.endTransactionWithReset(card.handle)
          service.disconnect(card.handle, .leave)
        } catch {
          // A card that is gone has nothing to forget; resetting it would put the next one into disorder.
          service.disconnect(
            card.handle, ChannelError(error) == .cardRemoved ? .leave : .reset)
        }
      }
    }
  }
}

extension ChannelError {
  /// What a failed command means when card and reader turn out to be still there; nil where they need no look.
  fileprivate func transmissionFailure(of command: [UInt8]) -> ChannelError? {
    switch self {
    case .transmissionFailed:
      command.isExtended ? .lengthNotCarried(length: command.count) : self
    case .other where command.isExtended && isOfLength:
      .lengthNotCarried(length: command.count)
    case .cardMute: self
    default: nil
    }
  }
}

extension CardProtocol {
  /// The form in which a command goes to the reader.
  ///
  /// T=1 and contactless cards take a C-APDU as it is. Under T=0 a command cannot carry data both ways: Le of
  /// case 4 is dropped, and the card says `61xx` (ISO/IEC 7816-3 §12.2.5). Extended length would need ENVELOPE
  /// (§12.2.7), which a CIE has no use for.
  ///
  /// - Throws: `lengthNotCarried` for an extended command under T=0.
  func wireForm(of command: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard self == .t0, command.count > 5 else { return command }
    guard !command.isExtended else { throw .lengthNotCarried(length: command.count) }
    let withoutLe = 5 + Int(command[4])
    return command.count == withoutLe + 1 ? Array(command.prefix(withoutLe)) : command
  }
}

extension [UInt8] {
  /// Whether this C-APDU is in the extended form: a fifth byte 00 with more behind it (ISO/IEC 7816-4 §5.1).
  var isExtended: Bool { count >= 7 && self[4] == 0 }
}
