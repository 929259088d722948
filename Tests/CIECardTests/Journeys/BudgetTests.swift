import CIECard
import CardJourneys
import Testing
import VirtualCIE

/// How many commands certificate, PIN and signature may cost from a cold card, chaining and GET RESPONSE counted.
@Suite struct BudgetTests {
  private func commands(
    _ identifier: String, signatures: Int, extended: ChannelTraits.ExtendedLength
  ) throws -> [CardLog.Entry] {
    let persona = try #require(Persona.named(identifier))
    #expect((1_790...1_848).contains(persona.certificate.count))
    let card = VirtualCard(persona: persona)
    var random = SystemRandom()
    let digest = try Digest(.sha256, hashing: [])
    _ = try JourneyRunner(
      .sign(pin: persona.pin, digests: [Digest](repeating: digest, count: signatures)),
      at: TestClock.now
    ).run(over: VirtualCardChannel(card, extendedLength: extended), random: &random)
    return card.log.entries
  }

  @Test func shortWhereParametersComeTogether() throws {
    #expect(try commands("gemalto", signatures: 1, extended: .notCarried).count <= 36)
  }

  @Test(arguments: ["nxp", "st", "itj4", "unknown"])
  func shortWhereParametersComeOneByOne(identifier: String) throws {
    #expect(try commands(identifier, signatures: 1, extended: .notCarried).count <= 38)
  }

  /// This persona's CA key has an exponent of 256 bytes, so that nobody relies on its length. The answer of 560 bytes,
  /// which no real card gives, costs one GET RESPONSE more than the 38 commands above.
  @Test func shortWhereTheAuthorityKeyIsLong() throws {
    let entries = try commands("gemalto2", signatures: 1, extended: .notCarried)
    #expect(entries.count <= 39)
  }

  @Test(arguments: ["itj4", "gemalto2"])
  func extended(identifier: String) throws {
    #expect(
      try commands(identifier, signatures: 1, extended: .carried(maximumDataLength: 65_536)).count
        <= 21)
  }

  @Test(arguments: ["gemalto", "gemalto2", "nxp", "st", "unknown"])
  func secondSignatureCostsThree(identifier: String) throws {
    let one = try commands(identifier, signatures: 1, extended: .notCarried)
    let two = try commands(identifier, signatures: 2, extended: .notCarried)
    #expect(two.count - one.count == 3)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func nothingIsSelectedTwice(identifier: String) throws {
    let selections = try commands(identifier, signatures: 1, extended: .notCarried)
      .filter { $0.instruction == 0xA4 }
    #expect(selections.count == 2)
  }
}
