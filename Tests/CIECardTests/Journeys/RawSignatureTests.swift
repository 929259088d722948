import CIECard
import TestSupport
import Testing
import VirtualCIE

/// Signatures over unprocessed bytes, and a PUK that is verified before the new PIN is known, for the PKCS#11 module.
@Suite struct RawSignatureTests {
  private func verified(
    _ persona: Persona, faults: FaultPlan = FaultPlan()
  ) throws -> VerifiedCard<VirtualCardChannel> {
    let card = IdentityCard(over: VirtualCardChannel(persona: persona, faults: faults))
    return try card.authenticate(checking: .skipped).verify(PIN(digits: persona.pin))
  }

  @Test(arguments: Persona.all.map(\.identifier), [1, 20, 36, RawSigningInput.maximumLength])
  func `the certificate's key recovers the signed data`(_ name: String, _ count: Int) throws {
    let persona = try #require(Persona.named(name))
    var card = try verified(persona)
    let bytes = [UInt8](repeating: 0xA5, count: count)
    let signature = try card.sign(try #require(RawSigningInput(bytes)))
    guard case .rsa(let key) = try Certificate(der: persona.certificate).publicKey else {
      Issue.record("the holder's key is no RSA key")
      return
    }
    #expect(key.openPKCS1Type1(signature) == bytes)
  }

  @Test(arguments: [0, RawSigningInput.maximumLength + 1, 245])
  func `empty and oversized inputs are not signed`(_ count: Int) {
    #expect(RawSigningInput([UInt8](repeating: 0, count: count)) == nil)
    #expect(RawSigningInput.maximumLength == 102)
  }

  @Test func `a signature that does not verify is not returned`() throws {
    var card = try verified(.nxp, faults: FaultPlan(parsing: "wrong-signature@1"))
    let input = try #require(RawSigningInput([1, 2, 3]))
    let error = #expect(throws: CardError.self) { _ = try card.sign(input) }
    #expect(error?.reason == .signatureFalse)
  }

  @Test func `the new PIN may come any time after the PUK`() throws {
    let persona = Persona.itj4
    let chip = VirtualCard(persona: persona)
    var awaiting = try IdentityCard(over: VirtualCardChannel(chip))
      .authenticateForPUK(checking: .skipped).verify(PUK(digits: persona.puk))
    #expect(chip.log.counters.verifications == 1)
    try awaiting.setPIN(to: PIN(digits: "31415926"))
    _ = try IdentityCard(over: VirtualCardChannel(chip)).authenticate(checking: .skipped)
      .verify(PIN(digits: "31415926"))
  }
}
