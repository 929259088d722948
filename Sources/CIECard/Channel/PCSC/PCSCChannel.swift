internal import Glibc

extension PCSCContext {
  /// A card in a PC/SC reader, for exclusive use.
  ///
  /// The connection is shared, with a transaction begun at once, rather than exclusive: programs
  /// that merely keep a card open (a browser with a PKCS#11 module) do not lock us out, and cannot
  /// send commands between ours. When the channel is closed, the transaction ends with a reset of
  /// the card, in one step: no other program ever gets a card with our PIN verified. The service
  /// does the same if this process dies.
  public struct Channel: CardChannel, ~Copyable {
    private let known: ChannelTraits
    private let name: String
    private let context: PCSCContext
    private var card: CardConnection

    /// The answer to reset, and the driver's information on extended length.
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
    /// - Throws: `cardRemoved`, `readerRemoved`, `cardReset`, `serviceStopped`; `cardMute` if there
    ///   is no response for 30 seconds; `transmissionFailed` if driver or card stop in the middle,
    ///   and `lengthNotCarried` if that was an extended command.
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
      // libpcsclite reports a card removed during a command as success with an empty response.
      guard !response.isEmpty else { throw diagnosis(otherwise: .cardRemoved) }
      guard response.count >= 2 else { throw .truncatedResponse(length: response.count) }
      return response
    }

    /// Disconnects with SCARD_UNPOWER_CARD, waits, and reconnects. A reset or SCardReconnect is not
    /// enough: CCID readers may keep the field on.
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

    /// A function that checks that the connected card is still there: the service notes for each
    /// connection that its card was removed, even if another one is there now. It sends no command,
    /// and must not be called while one runs.
    package borrowing func presence() -> @Sendable () -> Bool {
      { [context, card] in
        let status = try? context.call(.status, within: context.patience.service) {
          service, _ throws(PCSCFailure) in try service.answerToReset(card.handle)
        }
        return status != nil
      }
    }

    /// Microseconds; half a second was enough for the tested card, some drivers take additional
    /// time.
    private static let timeWithoutPower: UInt32 = 600_000

    /// The reason for a missing response: the driver knows it before the service, which polls every
    /// 0.4 seconds.
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
          // A removed card has no session to clear; a reset would disturb the next one.
          service.disconnect(
            card.handle, ChannelError(error) == .cardRemoved ? .leave : .reset)
        }
      }
    }
  }
}

extension ChannelError {
  /// The error for a failed command if card and reader are still there; nil if they need not be
  /// checked.
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
  /// Converts a command to the form for the reader.
  ///
  /// T=1 and contactless cards take a C-APDU unchanged. Under T=0 a command cannot carry data both
  /// ways: Le of case 4 is dropped, and the card returns `61xx` (ISO/IEC 7816-3 §12.2.5). Extended
  /// length would need ENVELOPE (§12.2.7), which a CIE does not use.
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
  /// True if this C-APDU is in the extended form: a fifth byte 00 with more after it (ISO/IEC
  /// 7816-4 §5.1).
  var isExtended: Bool { count >= 7 && self[4] == 0 }
}
