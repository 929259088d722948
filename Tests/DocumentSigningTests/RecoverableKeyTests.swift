import CIECard
import DocumentSigning
import Testing

/// Keys whose private half can be computed from the public one (ROCA, CVE-2017-15361) prove nothing about the signer.
@Suite struct RecoverableKeyTests {
  @Test(arguments: [TestSigner.Name.recoverable, .issuedByRecoverable])
  func `a signature is not believed if others can make it`(_ name: TestSigner.Name) throws {
    let signer = try TestSigner.named(name)
    #expect(signer.certificate.hasRecoverableKey == (name == .recoverable))
    let report = try Signed.judge(Signed.cms(isAttached: true, by: name))
    let signature = try report.signatures.first.unwrapped()
    #expect(signature[.chain] == .couldNotCheck(.recoverableKey))
    #expect(signature[.signature] == .proved)
    #expect(report.outcome == .couldNotCheck)
    // The holder of such a card signs all the same, with a warning.
    #expect(report.holds(for: signer.certificate))
  }
}
