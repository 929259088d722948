import CIECard
import Testing

@testable import VirtualCIE

/// The card in a simulated reader.
@Suite struct VirtualCardChannelTests {
  @Test func traitsFollowThePersona() throws {
    let refusing = try CardOptions(parsing: "no-extended-length")
    for persona in Persona.all {
      let channel = VirtualCardChannel(persona: persona)
      #expect(channel.traits.atr == persona.family.profile.answerToReset)
      #expect(channel.traits.extendedLength == .carried(maximumDataLength: 65_536))
      // A card that announces the form and refuses it: the reader knows only the announcement.
      let isAnnounced = [CardFamily.gemalto2, .itj4].contains(persona.family)
      #expect(
        VirtualCardChannel(persona: persona, options: refusing).traits.extendedLength
          == (isAnnounced ? .carried(maximumDataLength: 65_536) : .notCarried))
    }
    let chosen = VirtualCardChannel(persona: .itj4, extendedLength: .unknown)
    #expect(chosen.traits.extendedLength == .unknown)
  }

  @Test func theReaderRefusesWhatItCannotCarry() throws {
    let extended: [UInt8] = [0, 0xB0, 0x81, 0, 0, 0, 0]
    var short = VirtualCardChannel(persona: .itj4, extendedLength: .notCarried)
    #expect(throws: ChannelError.lengthNotCarried(length: 7)) { _ = try short.transmit(extended) }
    #expect(short.card.log.entries.isEmpty, "the card has not seen it")
    #expect(try short.transmit([0, 0xA4, 0, 0]) == [0x90, 0])
    var unknown = VirtualCardChannel(persona: .nxp, extendedLength: .unknown)
    #expect(try unknown.transmit(extended) == [0x67, 0])
    var limited = VirtualCardChannel(
      persona: .itj4, extendedLength: .carried(maximumDataLength: 300))
    let long = [0, 0x88, 0, 0, 0, 0x01, 0x60] + [UInt8](repeating: 0, count: 0x160)
    #expect(throws: ChannelError.lengthNotCarried(length: long.count)) {
      _ = try limited.transmit(long)
    }
  }

  @Test func lettingGoResetsTheCard() throws {
    let card = VirtualCard(persona: .gemalto)
    do {
      var channel = VirtualCardChannel(card)
      #expect(try channel.transmit([0, 0xA4, 0, 0]) == [0x90, 0])
      #expect(try channel.transmit([0, 0xB0, 0x9D, 0, 1]).suffix(2) == [0x90, 0])
    }
    #expect(try card.respond(to: [0, 0xB0, 0, 0, 1]) == [0x69, 0x86])
  }
}
