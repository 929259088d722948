/// Commands in clear over a card channel: chaining, GET RESPONSE, the right Le, and the choice of length form.
struct PlainChannel<Channel: CardChannel & ~Copyable>: ~Copyable, CommandChannel {
  private var channel: Channel
  private(set) var lengths: LengthForm
  let reader: ChannelTraits.ExtendedLength
  /// Receives the messages of a secure channel over this one.
  var observer: ClearMessage.Observer?

  /// - Parameters:
  ///   - channel: the connection to the card, for exclusive use.
  ///   - cardTakesExtended: true to try extended length at once; `nil` if nothing is known.
  ///   - isShort: true to exclude extended length whatever the reader carries.
  init(_ channel: consuming Channel, cardTakesExtended: Bool?, isShort: Bool = false) {
    reader = isShort ? .notCarried : channel.traits.extendedLength
    lengths = LengthForm(reader: reader, cardTakesExtended: cardTakesExtended)
    self.channel = channel
  }

  /// Short: 256. Extended: the limit of reader and card for one response, without status word.
  var maximumReadLength: Int { lengths.maximumResponse }

  var shortReadLengths: [Int] { [CommandAPDU.maximumShortResponse, CommandAPDU.iasReadLimit] }

  var traits: ChannelTraits { channel.traits }

  consuming func close() -> Channel { channel }

  /// Uses short APDUs from now on, except for commands that require the extended form.
  mutating func stepDown() { lengths.stepDown() }

  /// Applies the card's limits from EF.ATR/INFO.
  mutating func learn(_ limits: CardLimits) { lengths.learn(limits, reader: reader) }

  /// Tries the next response in extended form although the card does not announce it: in clear a refusal costs one
  /// command.
  mutating func tryUnannounced() { lengths.tryUnannounced(reader: reader) }

  /// Uses short APDUs from now on, unless the card announces extended ones.
  mutating func keepAnnounced() { lengths.keepAnnounced() }

  /// Power-cycles the card, which clears its state.
  ///
  /// - Returns: false if the reader cannot do it.
  mutating func powerCycle(at step: CardError.Step) throws(CardError) -> Bool {
    return try mapError(try channel.powerCycle()) { CardError(step, .channel($0)) }
  }

  /// Sends a command that the card accepts in one piece only, whatever the form of the
  /// conversation: short if it fits, otherwise extended with the largest Le.
  ///
  /// - Throws: `.channel(.lengthNotCarried)` as well if the reader cannot carry the command.
  mutating func sendWhole(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    if command.data.count <= CommandAPDU.maximumShortData { return try send(command) }
    guard reader.carries(command.data.count),
      let bytes = command.expecting(.whole).encoded(
        .extended(maximumResponse: CommandAPDU.maximumExtendedResponse))
    else { throw .channel(.lengthNotCarried(length: command.data.count)) }
    return try exchange(bytes)
  }

  mutating func send(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    if lengths.isExtended {
      if let response = try sendExtended(command) { return response }
    }
    let response = try sendShort(command)
    // 6Cxx (ISO/IEC 7816-4 §5.6): repeats the command with the right Le, but only once.
    guard case .correctLength(let low) = response.status, command.data.count <= 255 else {
      return response
    }
    return try sendShort(command.expecting(.upTo(low == 0 ? 256 : Int(low))))
  }

  /// Sends in extended form. As long as it is not known whether the card accepts it, a refusal
  /// costs one command: the channel then uses short APDUs for good and the caller sends again.
  ///
  /// - Returns: `nil` after this change.
  private mutating func sendExtended(
    _ command: CommandAPDU
  ) throws(CardError.Reason) -> ResponseAPDU? {
    guard let bytes = command.encoded(lengths.form) else { return nil }
    let isReallyExtended = bytes != command.encoded(.short)
    do throws(CardError.Reason) {
      let response = try exchange(bytes)
      guard isReallyExtended else { return response }
      return lengths.judgeTrial(response.status) ? response : nil
    } catch .channel(.lengthNotCarried) where isReallyExtended && lengths.stepDown() {
      return nil
    }
  }

  private mutating func sendShort(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    var rest = command.data[...]
    while rest.count > CommandAPDU.maximumShortData {
      let part = [UInt8](rest.prefix(CommandAPDU.maximumShortData))
      rest = rest.dropFirst(part.count)
      let link = command.chainLink(data: part, isLast: false)
      guard let bytes = link.encoded(.short) else {
        throw .channel(.lengthNotCarried(length: link.data.count))
      }
      let response = try transmit(bytes)
      guard response.status.endsLink else { return response }
    }
    return try sendLink(command.chainLink(data: [UInt8](rest), isLast: true))
  }

  private mutating func sendLink(_ link: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    var link = link
    if case .upTo(let length) = link.expected, length > CommandAPDU.maximumShortResponse {
      link = link.expecting(.upTo(CommandAPDU.maximumShortResponse))
    }
    guard let bytes = link.encoded(.short) else {
      throw .channel(.lengthNotCarried(length: link.data.count))
    }
    return try exchange(bytes)
  }

  /// Sends one encoded command unchanged and collects its whole response (ISO/IEC 7816-4 §7.6.1,
  /// GET RESPONSE).
  ///
  /// Every round must bring at least one byte, and the number of rounds is limited, because a card
  /// could announce more data forever.
  mutating func exchange(_ bytes: [UInt8]) throws(CardError.Reason) -> ResponseAPDU {
    var response = try transmit(bytes)
    var data = response.data
    var rounds = 0
    while case .bytesRemaining(let count) = response.status {
      rounds += 1
      guard rounds <= Self.maximumRounds else { throw .endlessAnswer }
      response = try transmit([0x00, 0xC0, 0x00, 0x00, count])
      if case .correctLength(let right) = response.status {
        response = try transmit([0x00, 0xC0, 0x00, 0x00, right])
      }
      if case .bytesRemaining = response.status, response.data.isEmpty { throw .endlessAnswer }
      data += response.data
    }
    return ResponseAPDU(data: data, status: response.status)
  }

  /// 65 536 bytes in pieces of 256: no response of a card is longer.
  private static var maximumRounds: Int { 256 }

  /// Sends one encoded command unchanged and returns the immediate response.
  mutating func transmit(_ bytes: [UInt8]) throws(CardError.Reason) -> ResponseAPDU {
    return try mapError(try ResponseAPDU(channel.transmit(bytes))) { CardError.Reason.channel($0) }
  }
}

/// A command or an answer under secure messaging, in clear: for people who read a trace, whose bytes and keys are known
/// anyway. Never the data of a command with a code.
package enum ClearMessage: Sendable, Equatable {
  /// - Parameter data: the data field; nil if it holds a code.
  case command(data: [UInt8]?)
  case answer(data: [UInt8])

  /// Receives the messages of one channel, in order. Only the replay of a trace has one.
  package typealias Observer = @Sendable (ClearMessage) -> Void
}
