import CIECard
import Traces
import Testing
import VirtualCIE

/// The number of commands for certificate, PIN and signature from a cold card, chaining and GET RESPONSE counted.
@Suite struct BudgetTests {
  private func commands(
    _ identifier: String, signatures: Int = 1, extended: ChannelTraits.ExtendedLength = .notCarried,
    checking check: GenuineCheck? = nil
  ) throws -> [CardLog.Entry] {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(persona: persona)
    var random = SystemRandom()
    let digest = try Digest(.sha256, hashing: [])
    let trust = try TrustStore([Certificate(der: persona.csca)])
    _ = try JourneyRunner(
      .sign(pin: persona.pin, digests: [Digest](repeating: digest, count: signatures)),
      at: TestClock.now, checking: check ?? .required(trust, at: TestClock.now)
    ).run(over: VirtualCardChannel(card, extendedLength: extended), random: &random)
    #expect(card.log.counters.verifications == 1)
    return card.log.entries
  }

  /// With the check of the State's signature: reading EF.SOD inside the channel costs one command for 231 bytes.
  @Test(arguments: Persona.all.map(\.identifier))
  func short(identifier: String) throws {
    #expect(try commands(identifier).count <= 50)
  }

  @Test(arguments: ["itj4", "gemalto2"])
  func extended(identifier: String) throws {
    let entries = try commands(identifier, extended: .carried(maximumDataLength: 65_536))
    #expect(entries.count <= 26)
  }

  /// Without that check: 37 if g, p and q come together, else 39; one more if the CA key has an exponent of 256 bytes,
  /// which no real card's has. Of these one selects EF.Cert_CIE, because no known reader reads it by short identifier.
  @Test(arguments: [
    ("gemalto", 37), ("gemalto2", 40), ("nxp", 39), ("st", 39), ("itj4", 39), ("unknown", 39),
  ])
  func unchecked(identifier: String, budget: Int) throws {
    #expect(try commands(identifier, checking: .skipped).count <= budget)
  }

  @Test(arguments: ["gemalto", "gemalto2", "nxp", "st", "unknown"])
  func secondSignatureCostsThree(identifier: String) throws {
    let one = try commands(identifier)
    let two = try commands(identifier, signatures: 2)
    #expect(two.count - one.count == 3)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func nothingIsSelectedTwice(identifier: String) throws {
    let selections = try commands(identifier).filter { $0.instruction == 0xA4 }
    #expect(selections.count == 3)
  }
}
