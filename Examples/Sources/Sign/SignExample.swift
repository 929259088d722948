// Signs with the holder's key. The PIN is sent once, and only to a chip that proved itself.
import CIECard
import VirtualCIE

@main struct SignExample {
  static func main() throws {
    let card = IdentityCard(over: VirtualCardChannel(persona: .nxp))
    // Only its own test authority signs a software card; for a real one: card.authenticate()
    let authority = try TrustStore([Certificate(der: Persona.nxp.csca)])
    let authenticated = try card.authenticate(checking: .required(authority, at: .now))
    print("tries left:", authenticated.triesLeft ?? -1)
    print("vouched for:", authenticated.genuineness == .proved)

    var verified = try authenticated.verify(PIN(digits: Persona.nxp.pin))
    let assertion = try verified.sign(Digest(.sha256, hashing: Array("a letter".utf8)))

    print("signed by:", assertion.certificate.subject.commonName ?? "")
    print("signature:", assertion.signature.count, "bytes")
  }
}
