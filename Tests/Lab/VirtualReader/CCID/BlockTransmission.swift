/// The card's end of T=1, blocks over which commands and answers travel in pieces (ISO/IEC 7816-3 §11).
struct BlockTransmission {
  /// A block's meaning for the card.
  enum Step: Equatable {
    case block([UInt8])
    /// A whole command; `answer(_:)` continues.
    case command([UInt8])
  }

  /// Information bytes per block without TA3 and before S(IFS) (§11.4.2).
  static let defaultSize = 32

  /// The most information bytes that the reader takes (IFSD).
  private var readerSize = BlockTransmission.defaultSize
  /// N(S) of the expected block.
  private var expected: UInt8 = 0
  /// N(S) of our next block.
  private var next: UInt8 = 0
  private var received: [UInt8] = []
  /// The part of an answer that is still to be sent.
  private var rest: ArraySlice<UInt8> = []
  private var lastInformation: [UInt8]?
  /// The answer that waits until the reader has granted more time.
  private var held: [UInt8]?

  mutating func receive(_ block: [UInt8]) -> Step {
    guard block.count >= 4, block.count == 4 + Int(block[2]), block.reduce(0, ^) == 0 else {
      return .block(request(because: 1))
    }
    let control = block[1]
    let information = Array(block[3..<block.count - 1])
    if control & 0x80 == 0 { return receive(information, control) }
    if control & 0x40 == 0 { return .block(repetition(from: control >> 4 & 1)) }
    return .block(supervision(control, information))
  }

  /// The first block of the answer to a command.
  ///
  /// - Parameter multiplier: asks for so many times the waiting time first (§11.4.3: S(WTX)); nil for none.
  mutating func answer(_ response: [UInt8], askingForTime multiplier: UInt8? = nil) -> [UInt8] {
    guard let multiplier else { return begin(response) }
    held = response
    return Self.block(0xC3, [multiplier])
  }

  private mutating func receive(_ information: [UInt8], _ control: UInt8) -> Step {
    guard control >> 6 & 1 == expected else { return .block(request(because: 2)) }
    expected ^= 1
    received += information
    // A new block of the reader confirms our last one.
    rest = []
    lastInformation = nil
    guard control & 0x20 == 0 else { return .block(request()) }
    defer { received = [] }
    return .command(received)
  }

  /// An R-block of the reader: it has the block before N(R) and requests the one with that number (§11.6.2).
  private mutating func repetition(from number: UInt8) -> [UInt8] {
    if held != nil { return Self.block(0xC3, [1]) }
    guard let lastInformation else { return request() }
    // The last one is requested again, or it has arrived and there is more.
    if number != next { return lastInformation }
    return rest.isEmpty ? request() : piece()
  }

  private mutating func supervision(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
    switch control & 0x3F {
    case 0x00:
      // S(RESYNCH request): as after a reset.
      self = BlockTransmission()
      return Self.block(0xE0, [])
    case 0x01:
      if let size = information.first, (1...254).contains(size) { readerSize = Int(size) }
      return Self.block(0xE1, information)
    case 0x02:
      (received, rest) = ([], [])
      return Self.block(0xE2, [])
    case 0x23:
      guard let held else { return request(because: 2) }
      return begin(held)
    default:
      return request(because: 2)
    }
  }

  private mutating func begin(_ response: [UInt8]) -> [UInt8] {
    held = nil
    rest = response[...]
    return piece()
  }

  private mutating func piece() -> [UInt8] {
    let information = Array(rest.prefix(readerSize))
    rest = rest.dropFirst(information.count)
    let block = Self.block(next << 6 | (rest.isEmpty ? 0 : 0x20), information)
    next ^= 1
    lastInformation = block
    return block
  }

  /// R(N): the number of the requested block, and the reason why it was not the last one (1 damaged, 2 any other).
  private func request(because reason: UInt8 = 0) -> [UInt8] {
    Self.block(0x80 | expected << 4 | reason, [])
  }

  /// NAD 00, PCB, LEN, information, LRC.
  static func block(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
    let block = [0, control, UInt8(truncatingIfNeeded: information.count)] + information
    return block + [block.reduce(0, ^)]
  }
}
