/// Reads one file with as few commands as the card allows: by short identifier without SELECT, in
/// the largest blocks that the channel carries, and without a command past the end.
struct FileReader {
  private let file: ElementaryFile
  private var block: Int
  private var content: [UInt8] = []
  /// The length of the content, once its first bytes are known.
  private var length: Int?
  private var rounds = 0

  /// Block lengths to try in turn after a card refused one (6700) within a short response: the 128
  /// bytes of the desktop middleware, and less.
  private static let smallerBlocks = [128, 64, 32]
  /// A shorter answer says nothing about the largest block of the card.
  private static let leastBlock = 16

  private init(_ file: ElementaryFile, block: Int) {
    self.file = file
    self.block = block
    if case .fixed(let count) = file.extent { length = count }
  }

  private var step: CardError.Step { file.step }

  /// Enough for the longest file in small blocks; it limits a card that returns a byte at a time.
  private var maximumRounds: Int { (file.maximumLength + 1) / 64 }

  /// Reads a file of the current application.
  ///
  /// - Returns: its content, without padding.
  static func read(
    _ file: ElementaryFile, through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> [UInt8] {
    var block = channel.maximumReadLength
    return try read(file, block: &block, through: &channel)
  }

  /// Reads a file that the card may refuse.
  ///
  /// - Parameter block: the most bytes per command; `nil` for as many as the channel carries.
  /// - Returns: `nil` if the card refuses, or the file is malformed.
  static func readIfGiven(
    _ file: ElementaryFile, block: Int? = nil,
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> [UInt8]? {
    var block = block ?? channel.maximumReadLength
    do throws(CardError) {
      return try read(file, block: &block, through: &channel)
    } catch {
      guard error.leavesFileOut else { throw error }
      return nil
    }
  }

  /// - Parameters:
  ///   - block: the most bytes per command; reduced if the card returns less.
  ///   - progress: called before each further command with the bytes read so far and the length of the content.
  static func read(
    _ file: ElementaryFile, block: inout Int,
    through channel: inout some CommandChannel & ~Copyable,
    progress: (_ read: Int, _ length: Int) -> Void = { _, _ in }
  ) throws(CardError) -> [UInt8] {
    var reader = FileReader(file, block: block)
    defer { block = reader.block }
    return try reader.run(through: &channel, progress: progress)
  }

  private mutating func run(
    through channel: inout some CommandChannel & ~Copyable,
    progress: (_ read: Int, _ length: Int) -> Void
  ) throws(CardError) -> [UInt8] {
    var goesOn = try readFirst(through: &channel)
    while goesOn, content.count < length ?? file.maximumLength {
      if let length { progress(content.count, length) }
      let response = try ask(through: &channel) { .readBinary(offset: $0, length: $1) }
      goesOn = try take(response)
    }
    guard let length, content.count >= length else { throw error(.truncatedFile) }
    return [UInt8](content.prefix(length))
  }

  /// Reads the first block by short identifier. If the card does not support that, it is repeated
  /// after SELECT.
  private mutating func readFirst(
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> Bool {
    if let short = file.shortIdentifier {
      let response = try ask(through: &channel) {
        .readBinary(shortIdentifier: short, length: $1)
      }
      if response.status.givesData { return try take(response) }
      guard response.status != .securityStatusNotSatisfied, file.isSelectable else {
        throw CardError(step, .refused(response.status))
      }
    }
    try channel.require(.select(file), at: step)
    let response = try ask(through: &channel) { .readBinary(offset: $0, length: $1) }
    return try take(response)
  }

  /// Sends one READ BINARY for the missing bytes, with another length if the card asks for it.
  private mutating func ask(
    through channel: inout some CommandChannel & ~Copyable,
    _ command: (_ offset: Int, _ length: Int) -> CommandAPDU
  ) throws(CardError) -> ResponseAPDU {
    let offset = content.count
    let isOdd = offset > CommandAPDU.maximumEvenOffset
    let missing = (length ?? file.maximumLength) - offset
    var wanted = min(block, isOdd ? missing + Self.objectHeaderLength : missing)
    while true {
      rounds += 1
      guard rounds <= maximumRounds else { throw CardError(step, .endlessAnswer) }
      let response = try channel.send(command(offset, wanted), at: step)
      switch response.status {
      case .correctLength(let low) where Self.length(low) < wanted:
        wanted = Self.length(low)
      case .wrongOffset where offset > 0:
        return response
      case .wrongLength, .wrongOffset:
        let blocks = channel.shortReadLengths + Self.smallerBlocks
        guard let smaller = blocks.first(where: { $0 < wanted }) else {
          return response
        }
        block = smaller
        wanted = smaller
      default:
        guard response.data.count <= wanted else { throw error(.length) }
        return isOdd ? try opened(response) : response
      }
    }
  }

  /// SW2 of 6Cxx, where 00 stands for 256 (ISO/IEC 7816-4 §5.6).
  private static func length(_ low: UInt8) -> Int { low == 0 ? 256 : Int(low) }

  /// 53 82 hh ll before the data of an odd READ BINARY.
  private static let objectHeaderLength = 4

  /// Unwraps the data object in the response to an odd READ BINARY.
  private func opened(_ response: ResponseAPDU) throws(CardError) -> ResponseAPDU {
    guard !response.data.isEmpty else { return response }
    var cursor = TLVCursor(response.data)
    let object = try CardError.parse(at: step, try cursor.next(0x53))
    try CardError.parse(at: step, try cursor.finish())
    return ResponseAPDU(data: object.bytes, status: response.status)
  }

  /// Appends the response data.
  ///
  /// - Returns: true if there may be more.
  private mutating func take(_ response: ResponseAPDU) throws(CardError) -> Bool {
    switch response.status {
    case .success, .endOfFile:
      content += response.data
      if length == nil { length = try declaredLength() }
      let isShort = response.data.count < block - Self.objectHeaderLength
      if isShort, response.data.count >= Self.leastBlock, content.count < length ?? 0 {
        block = response.data.count
      }
      // 6282 means fewer bytes than requested, at the end or not (IAS ECC §8.6.3.2).
      return !response.data.isEmpty
    case .wrongOffset:
      return false
    default:
      throw CardError(step, .refused(response.status))
    }
  }

  private func declaredLength() throws(CardError) -> Int {
    let total = try CardError.parse(at: step, try TLVCursor.encodedLength(of: content))
    guard total <= file.maximumLength else { throw error(.oversizedFile) }
    return total
  }

  private func error(_ malformation: CardError.Malformation) -> CardError {
    CardError(step, .malformed(malformation))
  }
}
