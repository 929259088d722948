import CIECard
import TestSupport
import Testing
import Traces

/// A replay is exact: these bytes, in this order, to the end.
@Suite struct ReplayTests {
  private let commands: [[UInt8]] = [
    [0x00, 0xA4, 0x04, 0x0C, 0x0D, 0xA0, 0, 0, 0, 0x30, 0x80, 0, 0, 0, 0x09, 0x81, 0x60, 0x01],
    [0x00, 0xB0, 0x81, 0x00, 0x0C], [0x00, 0xB0, 0x85, 0x00, 0xE7],
  ]

  @Test func answersInOrderToTheEnd() throws {
    let progress = ReplayProgress()
    #expect(throws: ChannelError.self) { try progress.finish() }
    var channel = ReplayChannel(try SampleTrace.parsed(), progress: progress)
    let traits = channel.traits
    #expect(traits.extendedLength == .carried(maximumDataLength: 1278))
    #expect(traits.atr.prefix(2) == [0x3B, 0x8F])
    let first = try channel.transmit(commands[0])
    let second = try channel.transmit(commands[1])
    #expect(first == [0x90, 0x00])
    #expect(second == [UInt8]("123456789012".utf8) + [0x90, 0x00])
    #expect(
      throws: ChannelError.replayMismatch(line: 28, detail: "not reached: 00B08500 (5 bytes)")
    ) {
      try progress.finish()
    }
    #expect(failure(&channel, commands[2]) == .cardRemoved)
    try progress.finish()
    try channel.finish()
    #expect(
      failure(&channel, commands[2])
        == .replayMismatch(line: 30, detail: "the trace ends before 00B08500 (5 bytes)"))
    #expect(throws: ChannelError.self) { try progress.finish() }
  }

  @Test func anotherHeaderIsAMismatch() throws {
    var channel = ReplayChannel(try SampleTrace.parsed())
    #expect(
      failure(&channel, commands[1])
        == .replayMismatch(
          line: 23, detail: "expected 00A4040C (18 bytes), got 00B08100 (5 bytes)"))
  }

  /// A power cycle is a separate entry: accepted at its place, refused elsewhere, and part of the whole.
  @Test func powerCycleIsPartOfTheConversation() throws {
    let text = SampleTrace.text.replacing("> 00B08100", with: "~ power-cycle\n> 00B08100")
    #expect(text != SampleTrace.text)
    let trace = try Trace(parsing: [UInt8](text.utf8))
    #expect(trace.text == text)
    var channel = ReplayChannel(trace)
    #expect(try !channel.powerCycle())
    _ = try channel.transmit(commands[0])
    #expect(try channel.powerCycle())
    #expect(try !channel.powerCycle())
    _ = try channel.transmit(commands[1])
    var other = ReplayChannel(trace)
    _ = try other.transmit(commands[0])
    #expect(failure(&other, commands[1]) != nil)
  }

  /// The message must not show payload, because it could be a recorded or typed PIN.
  @Test func anotherPayloadIsAMismatchThatShowsNoPayload() throws {
    for index in commands[0].indices.dropFirst(4) {
      var channel = ReplayChannel(try SampleTrace.parsed())
      var command = commands[0]
      command[index] ^= 0x40
      #expect(
        failure(&channel, command)
          == .replayMismatch(
            line: 23, detail: "00A4040C (18 bytes): byte \(index + 1) differs"))
    }
  }

  @Test func aMismatchIsForGood() throws {
    let progress = ReplayProgress()
    var channel = ReplayChannel(try SampleTrace.parsed(), progress: progress)
    let wrong = failure(&channel, [0, 0, 0, 0])
    #expect(failure(&channel, commands[0]) == wrong)
    let final = #expect(throws: ChannelError.self) { try progress.finish() }
    #expect(final == wrong)
  }

  @Test func shortAndEmptyCommandsAreMismatches() throws {
    for command in [[], [0x00], [0x00, 0xA4, 0x04, 0x0C]] as [[UInt8]] {
      var channel = ReplayChannel(try SampleTrace.parsed())
      guard case .replayMismatch(line: 23, _) = failure(&channel, command) else {
        Issue.record("\(command)")
        continue
      }
    }
  }

  @Test func randomDrawsInOrder() throws {
    var random = ReplayRandom(try SampleTrace.parsed())
    let progress = random.progress
    #expect(try random.bytes(0).isEmpty)
    #expect(try random.bytes(8) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(throws: ChannelError.replayMismatch(line: 10, detail: "1 random draws not used")) {
      try progress.finish()
    }
    #expect(try random.bytes(2) == [0xAA, 0xBB])
    try progress.finish()
    #expect(throws: CryptoError.self) { try random.bytes(1) }
  }

  @Test(arguments: [1, 7, 9]) func randomDrawOfAnotherSizeIsAnError(count: Int) throws {
    var random = ReplayRandom(try SampleTrace.parsed())
    #expect(throws: CryptoError.self) { try random.bytes(count) }
  }
}

/// The error of a command; `nil` when it was answered.
func failure(
  _ channel: inout some CardChannel & ~Copyable, _ command: [UInt8]
) -> ChannelError? {
  do throws(ChannelError) {
    _ = try channel.transmit(command)
    return nil
  } catch {
    return error
  }
}
