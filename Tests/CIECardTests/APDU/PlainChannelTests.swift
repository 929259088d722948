import Testing

@testable import CIECard

@Suite struct PlainChannelTests {
  private let log = ScriptedChannel.Log()
  private let read = CommandAPDU(0xB0, 0, 0, expected: .upTo(256))

  private func send(
    _ command: CommandAPDU, answers: [[UInt8]],
    extended: ChannelTraits.ExtendedLength = .notCarried, cardTakesExtended: Bool? = nil
  ) throws -> ResponseAPDU {
    var channel = PlainChannel(
      ScriptedChannel(answers: answers, extended: extended, log: log),
      cardTakesExtended: cardTakesExtended)
    return try channel.send(command)
  }

  @Test func longDataAreChainedIn255Bytes() throws {
    let data = (0..<266).map { UInt8(truncatingIfNeeded: $0) }
    let response = try send(
      CommandAPDU(0x22, 0x41, 0xA6, data: data), answers: [[0x90, 0], [0x90, 0]])
    #expect(response.status == .success)
    #expect(
      log.commands == [
        [0x10, 0x22, 0x41, 0xA6, 255] + data[..<255], [0, 0x22, 0x41, 0xA6, 11] + data[255...],
      ])
  }

  @Test func chainEndsAtTheFirstRefusal() throws {
    let data = [UInt8](repeating: 1, count: 300)
    let response = try send(CommandAPDU(0x22, 0, 0, data: data), answers: [[0x68, 0x84]])
    #expect(response.status == .chainingNotSupported)
    #expect(log.commands.count == 1)
  }

  @Test func remainingBytesAreFetched() throws {
    let response = try send(
      read, answers: [[1, 2, 0x61, 3], [3, 0x61, 0], [4, 5, 0x62, 0x82]])
    #expect(response == ResponseAPDU(data: [1, 2, 3, 4, 5], status: .endOfFile))
    #expect(Array(log.commands.dropFirst()) == [[0, 0xC0, 0, 0, 3], [0, 0xC0, 0, 0, 0]])
  }

  @Test func rightLengthIsAskedOnce() throws {
    let response = try send(read, answers: [[0x6C, 12], [0x6C, 7]])
    #expect(response.status == .correctLength(7))
    #expect(log.commands == [[0, 0xB0, 0, 0, 0], [0, 0xB0, 0, 0, 12]])
  }

  @Test func endlessAnswerWithoutBytesIsGivenUp() {
    #expect(throws: CardError.Reason.endlessAnswer) {
      try send(read, answers: [[UInt8]](repeating: [0x61, 0x10], count: 9))
    }
    #expect(log.commands.count == 2)
  }

  @Test func endlessAnswerWithBytesIsGivenUp() {
    #expect(throws: CardError.Reason.endlessAnswer) {
      try send(read, answers: [[UInt8]](repeating: [1, 0x61, 0x10], count: 1000))
    }
    #expect(log.commands.count == 257)
  }

  @Test func extendedIsTriedOnceAndSteppedDown() throws {
    let command = CommandAPDU(0xCB, 0x3F, 0xFF, data: [1], expected: .whole)
    var channel = PlainChannel(
      ScriptedChannel(
        answers: [[0x67, 0], [5, 0x90, 0], [6, 0x90, 0]], extended: .unknown, log: log),
      cardTakesExtended: nil)
    #expect(try channel.send(command).data == [5])
    #expect(try channel.send(command).data == [6])
    #expect(log.commands.map(\.count) == [10, 6, 6])
    #expect(channel.maximumReadLength == 256)
  }

  @Test func extendedRefusedLaterIsSteppedDownToo() throws {
    let command = CommandAPDU(0xCB, 0x3F, 0xFF, data: [1], expected: .whole)
    var channel = PlainChannel(
      ScriptedChannel(
        answers: [[5, 0x90, 0], [0x6A, 0x88], [0x67, 0], [6, 0x90, 0]],
        extended: .carried(maximumDataLength: 65_536), log: log),
      cardTakesExtended: true)
    #expect(try channel.send(command).data == [5])
    // No length in the status word: the card's answer, and no reason to repeat the command.
    #expect(try channel.send(command).status == .referencedDataNotFound)
    #expect(try channel.send(command).data == [6])
    #expect(log.commands.map(\.count) == [10, 10, 10, 6])
  }

  @Test func linkAnsweredWithBytesToFetchIsFollowedByTheNext() throws {
    let response = try send(
      CommandAPDU(0x22, 0x41, 0xA6, data: [UInt8](repeating: 7, count: 300)),
      answers: [[0x61, 0x0E], [0x90, 0]])
    #expect(response.status == .success)
    #expect(log.commands.map { $0[1] } == [0x22, 0x22])
  }

  @Test func readerThatCannotCarryTheLengthIsSteppedDown() throws {
    var channel = PlainChannel(
      ScriptedChannel(extended: .unknown, log: log) { (command, _) throws(ChannelError) in
        if command.count > 8 { throw .lengthNotCarried(length: command.count) }
        return [5, 0x90, 0]
      }, cardTakesExtended: nil)
    let command = CommandAPDU(0xCB, 0x3F, 0xFF, data: [1], expected: .whole)
    #expect(try channel.send(command).data == [5])
    #expect(log.commands.map(\.count) == [10, 6])
  }

  @Test func familyKnownForShortIsNotTried() throws {
    _ = try send(
      CommandAPDU(0xCB, 0x3F, 0xFF, data: [1], expected: .whole), answers: [[0x90, 0]],
      extended: .unknown, cardTakesExtended: false)
    #expect(log.commands.map(\.count) == [6])
  }
}
