/// Commands in clear over a card channel: chaining, GET RESPONSE, the right Le, and the choice of length form.
struct PlainChannel<Channel: CardChannel & ~Copyable>: ~Copyable, CommandChannel {
  private var channel: Channel
  private(set) var lengths: LengthForm
  /// What the reader says of extended length.
  let reader: ChannelTraits.ExtendedLength

  /// - Parameters:
  ///   - channel: the way to the card; nobody else talks to it from now on.
  ///   - cardTakesExtended: whether extended length is tried at once; `nil` when nothing is known.
  ///   - isShort: whether extended length is excluded whatever the reader carries.
  init(_ channel: consuming Channel, cardTakesExtended: Bool?, isShort: Bool = false) {
    reader = isShort ? .notCarried : channel.traits.extendedLength
    lengths = LengthForm(reader: reader, cardTakesExtended: cardTakesExtended)
    self.channel = channel
  }

  /// Short: 256. Extended: what reader and card carry in one answer, status word apart.
  var maximumReadLength: Int { lengths.maximumResponse }

  /// The limit of IAS ECC §8.6.3.3, E7, which some chips keep in clear as well.
  var shortReadLength: Int { 231 }

  /// What is known of the way to the card.
  var traits: ChannelTraits { channel.traits }

  /// Gives the way to the card back.
  consuming func close() -> Channel { channel }

  /// Speaks in short APDUs from now on, but for commands that go no other way.
  mutating func stepDown() { lengths.stepDown() }

  /// Learns from EF.ATR/INFO what the card takes.
  mutating func learn(_ limits: CardLimits) {
    lengths = LengthForm(reader: reader, limits: limits)
  }

  /// Takes the power off the card for a moment: it forgets what it knew.
  ///
  /// - Returns: whether there was power to take off.
  mutating func powerCycle(at step: CardError.Step) throws(CardError) -> Bool {
    do throws(ChannelError) { return try channel.powerCycle() } catch {
      throw CardError(step, .channel(error))
    }
  }

  /// Sends a command that the card takes in one piece only, whatever the form of the conversation is: short where
  /// it fits, extended with the largest Le where it does not.
  ///
  /// - Throws: `.channel(.lengthNotCarried)` as well when the reader carries no such command.
  mutating func sendWhole(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    if command.data.count <= CommandAPDU.maximumShortData { return try send(command) }
    guard reader.carries(command.data.count),
      let bytes = command.expecting(.whole).encoded(
        .extended(maximumResponse: CommandAPDU.maximumExtendedResponse))
    else { throw .channel(.lengthNotCarried(length: command.data.count)) }
    return try exchange(bytes)
  }

  mutating func send(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    if lengths.isExtended {
      if let response = try sendExtended(command) { return response }
    }
    let response = try sendShort(command)
    // 6Cxx (ISO/IEC 7816-4 §5.6): the same command once more with the right Le, and only once.
    guard case .correctLength(let low) = response.status, command.data.count <= 255 else {
      return response
    }
    return try sendShort(command.expecting(.upTo(low == 0 ? 256 : Int(low))))
  }

  /// Sends in extended form. While it is not known whether the card takes that form, a refusal costs one
  /// command: the channel steps down to short APDUs for good and the caller sends again.
  ///
  /// - Returns: `nil` after stepping down.
  private mutating func sendExtended(
    _ command: CommandAPDU
  ) throws(CommandError) -> ResponseAPDU? {
    guard let bytes = command.encoded(lengths.form) else { return nil }
    let isReallyExtended = bytes != command.encoded(.short)
    do throws(CommandError) {
      let response = try exchange(bytes)
      guard isReallyExtended else { return response }
      return lengths.judgeTrial(response.status) ? response : nil
    } catch .channel(.lengthNotCarried) where isReallyExtended && lengths.stepDown() {
      return nil
    }
  }

  private mutating func sendShort(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
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

  private mutating func sendLink(_ link: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    var link = link
    if case .upTo(let length) = link.expected, length > CommandAPDU.maximumShortResponse {
      link = link.expecting(.upTo(CommandAPDU.maximumShortResponse))
    }
    guard let bytes = link.encoded(.short) else {
      throw .channel(.lengthNotCarried(length: link.data.count))
    }
    return try exchange(bytes)
  }

  /// Sends one encoded command as it is and collects its whole answer (ISO/IEC 7816-4 §7.6.1, GET RESPONSE).
  ///
  /// Every round must bring at least one byte, and the rounds are counted: a card that announces more for ever
  /// is given up.
  mutating func exchange(_ bytes: [UInt8]) throws(CommandError) -> ResponseAPDU {
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

  /// 65 536 bytes in pieces of 256: no answer of a card is longer.
  private static var maximumRounds: Int { 256 }

  /// Sends one encoded command as it is, and leaves it at what comes at once.
  mutating func transmit(_ bytes: [UInt8]) throws(CommandError) -> ResponseAPDU {
    do throws(ChannelError) {
      return try ResponseAPDU(channel.transmit(bytes))
    } catch {
      throw .channel(error)
    }
  }
}
