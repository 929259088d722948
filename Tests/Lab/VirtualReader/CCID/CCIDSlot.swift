/// One slot of a CCID reader and the card in it: messages in, answers out.
struct CCIDSlot {
  enum Reaction {
    case answer(CCIDAnswer)
    /// No answer to this one.
    case silence
    /// No answer any more.
    case end
  }

  /// The level of exchange between reader and driver (CCID 1.1 §5.1, dwFeatures).
  enum Level: Sendable {
    /// Blocks: the driver does T=1 and takes APDUs of every length apart.
    case transmission
    /// Short APDUs: the reader does T=1.
    case shortAPDU
  }

  private(set) var card: CardInReader?
  private(set) var isPowered = false
  private(set) var level = Level.transmission
  /// The faults; exchanges and resets are counted from here on.
  var faults = TransmissionFaults() {
    didSet { (exchanges, resets) = (0, 0) }
  }
  private var blocks = BlockTransmission()
  private var exchanges = 0
  private var resets = 0

  var status: CCIDAnswer.CardStatus {
    card == nil ? .absent : isPowered ? .active : .inactive
  }

  mutating func insert(_ card: CardInReader) {
    self.card = card
    isPowered = false
  }

  mutating func remove() {
    card?.reset()
    card = nil
    isPowered = false
  }

  mutating func react(to command: CCIDCommand) -> Reaction {
    guard let kind = command.kind else {
      return .answer(CCIDAnswer(kind: .slotStatus, failure: .notSupported))
    }
    switch kind {
    case .slotStatus:
      return .answer(CCIDAnswer(kind: .slotStatus))
    case .powerOn:
      return .answer(powerOn())
    case .powerOff:
      card?.reset()
      isPowered = false
      return .answer(CCIDAnswer(kind: .slotStatus))
    case .setParameters, .getParameters, .resetParameters:
      let protocolNumber = kind == .setParameters ? command.parameters[0] : 1
      return .answer(
        CCIDAnswer(
          kind: .parameters, last: protocolNumber,
          data: kind == .setParameters ? command.data : Self.defaultParameters))
    case .escape:
      return .answer(escape(command.data))
    case .transferBlock:
      return transfer(command.data)
    }
  }

  /// The parameters of T=1 (CCID 1.1 §6.1.7): 372 clocks a bit, LRC, no extra guard time, BWI 4, CWI 13, no clock stop,
  /// IFSC 32.
  private static let defaultParameters: [UInt8] = [0x11, 0x10, 0x00, 0x4D, 0x00, 0x20, 0x00]

  private mutating func powerOn() -> CCIDAnswer {
    guard let card else { return CCIDAnswer(kind: .dataBlock, failure: .mute) }
    resets += 1
    card.reset()
    blocks = BlockTransmission()
    isPowered = !faults.has(.mute, at: resets)
    guard isPowered else { return CCIDAnswer(kind: .dataBlock, failure: .mute) }
    return CCIDAnswer(kind: .dataBlock, data: card.answerToReset)
  }

  /// The messages of Gemalto that the driver begins with; their meaning is from its ccid.c.
  private mutating func escape(_ data: [UInt8]) -> CCIDAnswer {
    switch data {
    case [0x02]: return CCIDAnswer(kind: .escape, data: [UInt8]("cie-lab".utf8))
    case [0x01, 0x01, 0x01]: return CCIDAnswer(kind: .escape)
    case [0x1F, 0x02]:
      level = .shortAPDU
      return CCIDAnswer(kind: .escape)
    default: return CCIDAnswer(kind: .escape, failure: .notSupported)
    }
  }

  private mutating func transfer(_ data: [UInt8]) -> Reaction {
    guard let card, isPowered else { return .answer(.lost) }
    // PPS (ISO/IEC 7816-3 §9): a card that agrees repeats it. No block and no command begins with FF.
    if data.first == 0xFF { return .answer(CCIDAnswer(kind: .dataBlock, data: data)) }
    exchanges += 1
    if faults.has(.hang, at: exchanges) { return .silence }
    if faults.has(.dead, at: exchanges) { return .end }
    if faults.has(.lostCommand, at: exchanges) { return .answer(.lost) }
    let response: [UInt8]
    switch receive(data) {
    case .block(let bytes): response = bytes
    case .command(let command):
      switch card.respond(command) {
      case .answer(let bytes): response = send(bytes)
      case .silence: return .silence
      case .lost: return .answer(.lost)
      case .leave:
        remove()
        return .answer(.lost)
      }
    }
    if faults.has(.lostAnswer, at: exchanges) { return .answer(.lost) }
    if faults.has(.parity, at: exchanges) {
      return .answer(CCIDAnswer(kind: .dataBlock, failure: .parity))
    }
    let isDamaged = faults.has(.damagedAnswer, at: exchanges)
    return .answer(
      CCIDAnswer(kind: .dataBlock, data: isDamaged ? Self.damaged(response) : response))
  }

  /// The meaning of the reader's data for the card: a command already, or a block of one.
  private mutating func receive(_ data: [UInt8]) -> BlockTransmission.Step {
    switch level {
    case .shortAPDU: .command(data)
    case .transmission:
      blocks.receive(faults.has(.damagedCommand, at: exchanges) ? Self.damaged(data) : data)
    }
  }

  /// The part of an answer that the reader gets: all of it, or its first block.
  private mutating func send(_ answer: [UInt8]) -> [UInt8] {
    switch level {
    case .shortAPDU: answer
    case .transmission:
      blocks.answer(answer, askingForTime: faults.has(.waiting, at: exchanges) ? 1 : nil)
    }
  }

  /// The bytes with one bit inverted, near the end: in the information field if there is any.
  private static func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if let last = bytes.indices.last { bytes[max(0, last - 1)] ^= 0x10 }
    return bytes
  }
}

extension CCIDAnswer {
  /// No block came from the card in its time.
  fileprivate static let lost = CCIDAnswer(kind: .dataBlock, failure: .mute)
}
