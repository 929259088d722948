/// How CCID messages go over a serial line (Gemalto's GemPC Twin; the driver's side is ccid_serial.c of libccid).
///
/// Both ways a frame is SYNC, CTRL, the message, and the exclusive or of all that. A reader that got a damaged frame
/// asks for it again.
struct SerialFraming {
  private static let sync: UInt8 = 0x03
  private static let acknowledge: UInt8 = 0x06
  /// SYNC, NAK and their exclusive or: the frame is to be sent again.
  static let refusal: [UInt8] = [0x03, 0x15, 0x16]
  /// bMessageType 50 and bmSlotICCState: a card came, or went.
  static func notice(isPresent: Bool) -> [UInt8] { [0x50, isPresent ? 0x03 : 0x02] }

  /// What a frame holds.
  enum Content: Equatable {
    case message([UInt8])
    case damaged
  }

  private var pending: [UInt8] = []

  mutating func append(_ bytes: [UInt8]) { pending += bytes }

  /// The next frame that is complete.
  mutating func next() -> Content? {
    while let first = pending.first, first != Self.sync { pending.removeFirst() }
    // Ten bytes of header, of which the second to fifth tell how many follow (CCID 1.1 §6).
    guard pending.count >= 2 + CCIDCommand.headerLength + 1 else { return nil }
    let header = Array(pending[2..<2 + CCIDCommand.headerLength])
    let length = 2 + CCIDCommand.headerLength + CCIDCommand.dataLength(in: header) + 1
    guard length <= 1 << 17, pending[1] == Self.acknowledge else {
      pending.removeAll()
      return .damaged
    }
    guard pending.count >= length else { return nil }
    let frame = Array(pending.prefix(length))
    pending.removeFirst(length)
    guard frame.reduce(0, ^) == 0 else { return .damaged }
    return .message(Array(frame[2..<length - 1]))
  }

  /// A message in its frame.
  static func frame(_ message: [UInt8]) -> [UInt8] {
    let frame = [sync, acknowledge] + message
    return frame + [frame.reduce(0, ^)]
  }
}
