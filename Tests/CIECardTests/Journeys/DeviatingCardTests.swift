import CIECard
@testable import Traces
import Testing
import VirtualCIE

/// Cards that deviate from the specification before the PIN: each still signs, with one VERIFY.
@Suite struct DeviatingCardTests {
  private func sign(
    _ persona: Persona, extended: ChannelTraits.ExtendedLength = .notCarried,
    lengths: ChannelTraits.LengthPolicy = .automatic,
    answering answer: @escaping (_ command: [UInt8], _ index: Int) -> [UInt8]?
  ) throws -> CardLog {
    let card = VirtualCard(persona: persona)
    var random = SystemRandom()
    let channel = AlteredCard(
      VirtualCardChannel(card, extendedLength: extended), answering: answer)
    _ = try JourneyRunner(
      .sign(pin: persona.pin, digests: [Digest(.sha256, hashing: [1])]), at: TestClock.now,
      lengths: lengths
    ).run(over: channel, random: &random)
    #expect(card.log.counters.verifications == 1)
    #expect(card.log.counters.holderSignatures == 1)
    return card.log
  }

  /// Checks whether a command is in extended form: a zero at the place of Lc or Le, and more bytes after it.
  private static func isExtended(_ command: [UInt8]) -> Bool {
    command.count > 6 && command[4] == 0
  }

  /// Each extended command up to VERIFY refused in turn, and every later one of its kind.
  @Test(arguments: ["itj4", "gemalto2"])
  func extendedLengthRefusedAnywhere(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let reader = ChannelTraits.ExtendedLength.carried(maximumDataLength: 65_536)
    let good = try sign(persona, extended: reader) { _, _ in nil }
    let verify = try #require(good.entries.firstIndex { $0.instruction == 0x20 })
    var refused = 0
    for from in 0..<verify {
      var strikes = 0
      _ = try sign(persona, extended: reader) { command, index in
        guard index >= from, Self.isExtended(command) else { return nil }
        strikes += 1
        return [0x67, 0x00]
      }
      if strikes > 0 { refused += 1 }
      #expect(strikes <= 1)
    }
    #expect(refused > 8)
  }

  @Test func noExtendedCommandWhereItIsForbidden() throws {
    _ = try sign(
      .itj4, extended: .carried(maximumDataLength: 65_536), lengths: .short
    ) { command, _ in
      #expect(!Self.isExtended(command))
      return nil
    }
  }

  @Test func noExtendedCommandWhereTheCardAnnouncesNone() throws {
    _ = try sign(.unknown, extended: .carried(maximumDataLength: 65_536)) { command, _ in
      #expect(!Self.isExtended(command))
      return nil
    }
  }

  @Test func extendedAtOnceWhereAPersonSaysSo() throws {
    var count = 0
    _ = try sign(.unknown, extended: .carried(maximumDataLength: 65_536), lengths: .extended) {
      command, _ in
      if Self.isExtended(command) { count += 1 }
      return nil
    }
    #expect(count > 0)
  }

  /// IAS by name, the master file in four bytes, the master file by identifier: all unknown.
  @Test(arguments: Persona.all.map(\.identifier))
  func applicationSelectedDirectly(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    var roots = 0
    _ = try sign(persona) { command, _ in
      guard command[1] == 0xA4, command[2] == 0x00 || command.count == 18 else { return nil }
      roots += 1
      return [0x6A, 0x82]
    }
    #expect(roots == 3)
  }

  @Test func noCIEOnlyAfterTheFourthWay() throws {
    var commands: [[UInt8]] = []
    var random = SystemRandom()
    let channel = AlteredCard(VirtualCardChannel(persona: .gemalto)) { command, _ in
      commands.append([UInt8](command.prefix(3)))
      return [0x6A, 0x82]
    }
    let end = JourneyRunner(.servicesNumber, at: TestClock.now).end(
      over: channel, random: &random)
    #expect(end == Trace.Expectation(CardError(.selectCIE, .notACIE(.fileNotFound))))
    #expect(
      commands == [
        [0x00, 0xA4, 0x04], [0x00, 0xA4, 0x00], [0x00, 0xA4, 0x00], [0x00, 0xA4, 0x04],
      ])
  }

  /// Without the root EF.DH cannot be read; everything else is proved.
  @Test func masterFileOutOfReach() throws {
    let persona = Persona.gemalto
    var random = SystemRandom()
    let channel = AlteredCard(VirtualCardChannel(persona: persona)) { command, _ in
      command[1] == 0xA4 && (command[2] == 0x00 || command.count == 18) ? [0x6A, 0x82] : nil
    }
    let values = try JourneyRunner(
      .authenticity(challenge: nil, trustAnchors: [persona.csca]), at: TestClock.now
    ).run(over: channel, random: &random)
    #expect(values.contains(.report(point: "hash-dh-parameters", verdict: "could-not-check")))
    #expect(values.contains(.report(point: "challenge", verdict: "proved")))
  }

  /// The card ends the channel at the question for the tries, which it need not answer; it must not withhold EF.SOD.
  @Test(arguments: [[0x6D, 0x00], [0x69, 0x88], [0x69, 0x82], [0x6E, 0x00]] as [[UInt8]])
  func questionThatEndsTheChannel(word: [UInt8]) throws {
    func strike(at instruction: UInt8) throws -> Int {
      var strikes = 0
      _ = try sign(.gemalto) { command, _ in
        guard command[0] == 0x0C, command[1] == instruction, strikes == 0 else { return nil }
        strikes += 1
        return word
      }
      return strikes
    }
    #expect(try strike(at: 0xCB) == 1)
    #expect(throws: CardError.self) { try strike(at: 0xB0) }
  }
}
