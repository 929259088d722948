import CIECard
import TestSupport
import Testing
import VirtualCIE

/// `cie-lab anchors`: its files prove a software card from end to end.
@Suite struct AnchorsTests {
  @Test func `the anchors of cie-lab prove the software cards`() throws {
    let folder = try TemporaryDirectory()
    let anchors = folder.path("anchors")
    let written = try BuiltBinary("cie-lab").run(["anchors", anchors])
    #expect(written.exitStatus == 0, "\(written.errors)")
    // One CSCA stands behind both sides of one card.
    #expect(try TrustStore(path: anchors).certificates.count == 2 * Persona.everyone.count - 1)
    let persona = try #require(Persona.named("gemalto2"))
    let verify = ["verify", "--virtual", persona.identifier, "--can", persona.can]
    let program = try BuiltBinary("cie-read")
    #expect(try program.run(verify + ["--trust-only", anchors]).exitStatus == 0)
    let other = try Persona.nxp.writeAnchor(in: folder)
    #expect(try program.run(verify + ["--trust-only", other]).exitStatus == 13)
  }
}
