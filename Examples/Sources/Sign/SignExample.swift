// Signs with the holder's key. The PIN goes out once, and only to a chip that proved itself.
import CIECard
import VirtualCIE

@main struct SignExample {
  static func main() throws {
    let card = IdentityCard(over: VirtualCardChannel(persona: .nxp))
    let authenticated = try card.authenticate()
    print("tries left:", authenticated.triesLeft ?? -1)
    print("vouched for:", authenticated.genuineness == .proved)

    var verified = try authenticated.verify(PIN(digits: Persona.nxp.pin))
    let assertion = try verified.sign(Digest(.sha256, hashing: Array("a letter".utf8)))

    print("signed by:", assertion.certificate.subject.commonName ?? "")
    print("signature:", assertion.signature.count, "bytes")
  }
}
