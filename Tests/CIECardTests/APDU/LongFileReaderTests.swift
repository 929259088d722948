import Testing

@testable import CIECard

/// Files of a travel document: beyond 32 KiB, and in small blocks.
@Suite struct LongFileReaderTests {
  private static let file = ElementaryFile.dataGroup(.dg2)

  private func content(_ count: Int) -> [UInt8] {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    return [0x75, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + value
  }

  /// A card with one file.
  ///
  /// - Parameter most: the most bytes of one answer; longer ones are cut silently.
  private func channel(
    _ stored: [UInt8], log: ScriptedChannel.Log, most: Int = .max
  ) -> PlainChannel<ScriptedChannel> {
    PlainChannel(
      ScriptedChannel(log: log) { (command, _) throws(ChannelError) in
        let wanted = { (Le: UInt8?) in min(Le == 0 ? 256 : Int(Le ?? 0), most) }
        switch command[1] {
        case 0xA4: return [0x90, 0x00]
        case 0xB0:
          let byName = command[2] & 0x80 != 0
          let offset = (byName ? 0 : Int(command[2]) << 8) + Int(command[3])
          return Array(stored.dropFirst(offset).prefix(wanted(command.last))) + [0x90, 0x00]
        case 0xB1:
          // 54 L offset; the header of the answer's object counts.
          let offset = command.dropFirst(7).dropLast().reduce(0) { $0 << 8 | Int($1) }
          let room = wanted(command.last)
          let part = Array(stored.dropFirst(offset).prefix(room - (room > 131 ? 3 : 2)))
          return TLV.encode(0x53, part) + [0x90, 0x00]
        default: return [0x6D, 0x00]
        }
      }, cardTakesExtended: false)
  }

  @Test func beyond32KiBWithTheOddInstruction() throws {
    let stored = content(70_000)
    let log = ScriptedChannel.Log()
    var plain = channel(stored, log: log)
    var block = 231
    let read = try FileReader.read(Self.file, block: &block, through: &plain)
    #expect(read == stored)
    let odd = log.commands.filter { $0[1] == 0xB1 }
    // The first offset that 15 bits do not hold, then one that 16 do not.
    #expect(odd.first?.dropFirst(4).prefix(3) == [0x04, 0x54, 0x02])
    #expect(odd.last?.dropFirst(4).prefix(3) == [0x05, 0x54, 0x03])
    #expect(!log.commands.contains { $0[1] == 0xB0 && $0[2] > 0x82 })
    #expect(log.commands.count < stored.count / 228 + 3)
  }

  @Test func lessThanAskedForIsRemembered() throws {
    let stored = content(1000)
    let log = ScriptedChannel.Log()
    var plain = channel(stored, log: log, most: 100)
    var block = 231
    _ = try FileReader.read(Self.file, block: &block, through: &plain)
    #expect(block == 100)
    #expect(log.commands.map { $0[4] } == [231] + [UInt8](repeating: 100, count: 9) + [5])
    // The end of a short file does not count.
    var whole = 231
    var other = channel(content(40), log: log)
    _ = try FileReader.read(Self.file, block: &whole, through: &other)
    #expect(whole == 231)
  }

  /// An answer to the odd instruction that is not its data object, or more than one.
  @Test(
    arguments: [[0x54, 0x01, 0x00], [0x53, 0x7F, 0x00], [0x53, 0x01, 0x00, 0x00]] as [[UInt8]])
  func oddAnswersOfAnotherForm(answer: [UInt8]) throws {
    let stored = content(40_000)
    let log = ScriptedChannel.Log()
    var plain = PlainChannel(
      ScriptedChannel(log: log) { (command, _) throws(ChannelError) in
        guard command[1] == 0xB0 else {
          return (command[1] == 0xA4 ? [] : answer) + [0x90, 0x00]
        }
        let byName = command[2] & 0x80 != 0
        let offset = (byName ? 0 : Int(command[2]) << 8) + Int(command[3])
        return Array(stored.dropFirst(offset).prefix(231)) + [0x90, 0x00]
      }, cardTakesExtended: false)
    #expect(throws: CardError(.readPortrait, .malformed(.structure))) {
      try FileReader.read(Self.file, through: &plain)
    }
  }

  @Test(arguments: [
    ([0x75, 0x84, 0x7F, 0xFF, 0xFF, 0xFF], CardError.Malformation.oversizedFile),
    ([0x75, 0x83, 0x04, 0x00, 0x01], .oversizedFile), ([0x75, 0x80, 0x00], .structure),
    ([0x75], .structure), ([], .structure), ([0x75, 0x05, 0x00], .truncatedFile),
  ])
  func lyingLengths(stored: [UInt8], expected: CardError.Malformation) {
    let log = ScriptedChannel.Log()
    var plain = channel(stored, log: log)
    #expect(throws: CardError(.readPortrait, .malformed(expected))) {
      try FileReader.read(Self.file, through: &plain)
    }
    #expect(log.commands.count <= 3)
  }
}
