/// A message to a reader (CCID 1.1 §6.1).
struct CCIDCommand {
  static let headerLength = 10

  /// bMessageType.
  enum Kind: UInt8 {
    case setParameters = 0x61
    case powerOn = 0x62
    case powerOff = 0x63
    case slotStatus = 0x65
    case escape = 0x6B
    case getParameters = 0x6C
    case resetParameters = 0x6D
    case transferBlock = 0x6F
  }

  /// The kind; nil for one that this reader does not support.
  let kind: Kind?
  let slot: UInt8
  let sequence: UInt8
  /// The three bytes whose meaning depends on the message.
  let parameters: [UInt8]
  let data: [UInt8]

  /// - Parameter message: header and data, complete.
  init(_ message: [UInt8]) {
    kind = Kind(rawValue: message[0])
    slot = message[5]
    sequence = message[6]
    parameters = Array(message[7..<10])
    data = Array(message.dropFirst(Self.headerLength))
  }

  /// dwLength, little-endian.
  static func dataLength(in header: [UInt8]) -> Int {
    header[1...4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A reader's answer (CCID 1.1 §6.2).
struct CCIDAnswer {
  /// bMessageType.
  enum Kind: UInt8 {
    case dataBlock = 0x80
    case slotStatus = 0x81
    case parameters = 0x82
    case escape = 0x83
  }

  /// bmICCStatus (§6.2.6).
  enum CardStatus: UInt8 {
    case active = 0
    case inactive = 1
    case absent = 2
  }

  /// bError of a command that failed (§6.2.6, table 6.2-2).
  enum Failure: UInt8 {
    case notSupported = 0x00
    case badSlot = 0x05
    /// XFR_PARITY_ERROR.
    case parity = 0xFD
    /// ICC_MUTE.
    case mute = 0xFE
  }

  let kind: Kind
  var failure: Failure?
  /// bProtocolNum of `parameters`, bClockStatus or bChainParameter of the others.
  var last: UInt8 = 0
  var data: [UInt8] = []

  func bytes(to command: CCIDCommand, card: CardStatus) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    let status = card.rawValue | (failure == nil ? 0 : 0x40)
    return [kind.rawValue] + length
      + [command.slot, command.sequence, status, failure?.rawValue ?? 0, last] + data
  }
}
