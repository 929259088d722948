/// Reads one file with as few commands as the card allows: by short identifier without SELECT, in the largest
/// blocks that the channel carries, and not a command past the end.
struct FileReader {
  private let file: ElementaryFile
  private let step: Step
  private var block: Int
  private var content: [UInt8] = []
  private var length: Int?
  private var rounds = 0

  /// Offsets of READ BINARY have 15 bits.
  private static let maximumLength = 0x7FFF
  /// Enough for the longest file in the smallest block; a card that gives a byte at a time is given up.
  private static let maximumRounds = 512
  /// What is tried in turn when a card refuses a block length (6700): the limit of IAS ECC §8.6.3.3, then the 128
  /// bytes of the desktop middleware.
  private static let smallerBlocks = [231, 128]

  private init(_ file: ElementaryFile, block: Int, step: Step) {
    self.file = file
    self.block = block
    self.step = step
    switch file.extent {
    case .fixed(let count): length = count
    case .object: length = nil
    }
  }

  /// Reads a file of the current application.
  ///
  /// - Returns: exactly its content, without padding.
  static func read(
    _ file: ElementaryFile, through channel: inout some CommandChannel & ~Copyable, at step: Step
  ) throws(CardError) -> [UInt8] {
    var reader = FileReader(file, block: channel.maximumReadLength, step: step)
    return try reader.run(through: &channel)
  }

  private mutating func run(
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> [UInt8] {
    var goesOn = try readFirst(through: &channel)
    while goesOn, content.count < length ?? Self.maximumLength {
      let response = try ask(through: &channel) { .readBinary(offset: $0, length: $1) }
      goesOn = try take(response)
    }
    guard let length, content.count >= length else { throw error(.truncatedFile) }
    return [UInt8](content.prefix(length))
  }

  /// The first block by short identifier. A card that does not take it is asked again after SELECT.
  private mutating func readFirst(
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> Bool {
    if let short = file.shortIdentifier {
      let response = try ask(through: &channel) {
        .readBinary(shortIdentifier: short, length: $1)
      }
      switch response.status {
      case .success, .endOfFile: return try take(response)
      case .securityStatusNotSatisfied: throw CardError(step, .refused(response.status))
      default: break
      }
    }
    try channel.require(.select(file), at: step)
    let response = try ask(through: &channel) { .readBinary(offset: $0, length: $1) }
    return try take(response)
  }

  /// Sends one READ BINARY for what is still wanted, with another length where the card asks for it.
  private mutating func ask(
    through channel: inout some CommandChannel & ~Copyable,
    _ command: (_ offset: Int, _ length: Int) -> CommandAPDU
  ) throws(CardError) -> ResponseAPDU {
    let offset = content.count
    var wanted = min(block, (length ?? Self.maximumLength) - offset)
    while true {
      rounds += 1
      guard rounds <= Self.maximumRounds else { throw CardError(step, .endlessAnswer) }
      let response = try channel.send(command(offset, wanted), at: step)
      switch response.status {
      case .correctLength(let right) where right > 0 && Int(right) < wanted:
        wanted = Int(right)
      case .wrongLength:
        guard let smaller = Self.smallerBlocks.first(where: { $0 < wanted }) else {
          return response
        }
        block = smaller
        wanted = smaller
      default:
        guard response.data.count <= wanted else { throw error(.length) }
        return response
      }
    }
  }

  /// Adds what came.
  ///
  /// - Returns: whether there may be more.
  private mutating func take(_ response: ResponseAPDU) throws(CardError) -> Bool {
    switch response.status {
    case .success, .endOfFile:
      content += response.data
      if length == nil { length = try declaredLength() }
      return response.status == .success && !response.data.isEmpty
    case .wrongOffset:
      return false
    default:
      throw CardError(step, .refused(response.status))
    }
  }

  /// Tag and length at the start of the file tell where it ends.
  private func declaredLength() throws(CardError) -> Int {
    let total = try CardError.parse(at: step) { () throws(TLVError) in
      try TLVCursor.encodedLength(of: content)
    }
    guard total <= Self.maximumLength else { throw error(.oversizedFile) }
    return total
  }

  private func error(_ malformation: CardError.Malformation) -> CardError {
    CardError(step, .malformed(malformation))
  }
}
