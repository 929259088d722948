import Testing

@testable import CIECard

/// Reading files from deviating and hostile cards.
@Suite struct FileReaderTests {
  private let log = ScriptedChannel.Log()
  private let content = TLV.encode(0x30, (0..<600).map { UInt8(truncatingIfNeeded: $0) })

  /// A card with one file that refuses the commands in `refuses` and pads the file with zeros.
  private func read(
    _ file: ElementaryFile = .servicesKey, padding: Int = 50,
    refuses: @escaping ([UInt8]) -> [UInt8]? = { _ in nil }
  ) throws -> [UInt8] {
    let stored = content + [UInt8](repeating: 0, count: padding)
    var channel = PlainChannel(
      ScriptedChannel(log: log) { (command, _) throws(ChannelError) in
        if let refusal = refuses(command) { return refusal }
        if command[1] == 0xA4 { return [0x90, 0] }
        let byName = command[2] & 0x80 != 0
        let offset = (byName ? 0 : Int(command[2]) << 8) + Int(command[3])
        let wanted = command[4] == 0 ? 256 : Int(command[4])
        guard offset < stored.count else { return [0x6B, 0] }
        let part = stored[offset..<min(offset + wanted, stored.count)]
        return part + (part.count < wanted ? [0x62, 0x82] : [0x90, 0])
      }, cardTakesExtended: false)
    return try FileReader.read(file, through: &channel)
  }

  @Test func readsByShortIdentifierAndNotPastTheEnd() throws {
    #expect(try read() == content)
    #expect(
      log.commands == [[0, 0xB0, 0x85, 0, 0], [0, 0xB0, 1, 0, 0], [0, 0xB0, 2, 0, 92]])
  }

  @Test(arguments: [[0x6A, 0x82], [0x6A, 0x86], [0x69, 0x81], [0x6D, 0x00]] as [[UInt8]])
  func selectsWhereShortIdentifiersAreRefused(word: [UInt8]) throws {
    #expect(try read { $0[1] == 0xB0 && $0[2] & 0x80 != 0 ? word : nil } == content)
    #expect(log.commands[1] == [0, 0xA4, 2, 4, 2, 0x10, 0x05])
  }

  @Test func securityStatusIsNotAskedTwice() {
    #expect(throws: CardError(.readServicesKey, .refused(.securityStatusNotSatisfied))) {
      try read { _ in [0x69, 0x82] }
    }
    #expect(log.commands.count == 1)
  }

  @Test func stepsDownOnWrongLengthAndRemembersIt() throws {
    let isTooLong = { (command: [UInt8]) -> [UInt8]? in
      command[1] == 0xB0 && (command[4] == 0 || command[4] > 128) ? [0x67, 0] : nil
    }
    #expect(try read(refuses: isTooLong) == content)
    // 256, 231, 128, then four more of at most 128.
    #expect(log.commands.map { $0[4] } == [0, 231, 128, 128, 128, 128, 92])
  }

  @Test func rightLengthIsTakenFromTheStatusWord() throws {
    let wantsTwelve = { (command: [UInt8]) -> [UInt8]? in
      command[1] == 0xB0 && (command[4] == 0 || command[4] > 12) ? [0x6C, 12] : nil
    }
    #expect(try read(refuses: wantsTwelve).count == content.count)
  }

  @Test func fileShorterThanItSaysIsTruncated() {
    #expect(throws: CardError(.readServicesKey, .malformed(.truncatedFile))) {
      try read { $0[1] == 0xB0 && $0[2] & 0x80 == 0 ? [0x6B, 0] : nil }
    }
  }

  @Test func lyingCardsAreGivenUp() {
    // Declares 2 GB.
    #expect(throws: CardError(.readServicesKey, .malformed(.oversizedFile))) {
      try read { $0[1] == 0xB0 ? [0x30, 0x84, 0x80, 0, 0, 0, 0x90, 0] : nil }
    }
    // Declares 16 MB.
    #expect(throws: CardError(.readServicesKey, .malformed(.oversizedFile))) {
      try read { $0[1] == 0xB0 ? [0x30, 0x83, 0xFF, 0, 0, 0x90, 0] : nil }
    }
    // Success without data.
    #expect(throws: CardError(.readServicesKey, .malformed(.structure))) {
      try read { $0[1] == 0xB0 ? [0x90, 0] : nil }
    }
    // More data than requested.
    #expect(throws: CardError(.readServicesKey, .malformed(.length))) {
      try read { $0[1] == 0xB0 ? [UInt8](repeating: 0x30, count: 300) + [0x90, 0] : nil }
    }
  }

  @Test func oneByteAtATimeComesToAnEnd() {
    #expect(throws: CardError(.readServicesKey, .endlessAnswer)) {
      try read { command in
        guard command[1] == 0xB0 else { return nil }
        return command[2] & 0x80 != 0 ? [0x30, 0x82, 0x70, 0, 0x90, 0] : [1, 0x90, 0]
      }
    }
    #expect(log.commands.count == 512)
  }

  @Test func fixedFilesAskForTheirLength() throws {
    #expect(try read(.servicesNumber) == [UInt8](content.prefix(12)))
    #expect(log.commands == [[0, 0xB0, 0x81, 0, 12]])
  }
}
