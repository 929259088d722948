import CIECard
import RedirectFlow
import Testing
import VirtualCIE

@Suite struct CardLoginKeyTests {
  @Test func signsWithTheCard() throws {
    let persona = try #require(Persona.all.first)
    var random = SystemRandom()
    let card = IdentityCard(over: VirtualCardChannel(persona: persona))
    let pin = try PIN(Secret([UInt8](persona.pin.utf8)))
    let key = try CardLoginKey(
      card.authenticate(checking: .skipped, random: &random).verify(pin))
    #expect(key.certificate.der == persona.certificate)
    let digest = try Digest(.sha256, hashing: [1, 2, 3])
    #expect(try key.sign(digest).digest == digest)
  }
}
