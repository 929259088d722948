import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// Advice for signatures whose issuer is not known.
@Suite struct IssuerAdviceTests {
  /// The way to an issuer that is not known: lists, or that of its country, or one's own trust.
  @Test func advice() throws {
    for (country, lists, key) in [
      ("IT", [], "issuer-not-known.do"), ("IT", ["BE", "IT"], "issuer-not-listed.do"),
      ("IT", ["BE"], "issuer-of-other-list.do"), ("GR", ["EL"], "issuer-not-listed.do"),
      ("GR", ["IT"], "issuer-of-other-list.do"), ("US", ["IT"], "issuer-not-listed.do"),
    ] {
      let signer = try QualifiedSigner(issuedBy: "/C=\(country)/CN=Issuer nowhere")
      let services = try lists.isEmpty ? nil : TrustedServices.of([], lists: lists.map { .of($0) })
      let report = try DocumentJudge(
        trust: nil, services: services, at: signer.certificate.notBefore
      )
      .judge(ByteSource(signer.signed()))
      let diagnosis = try #require(Diagnosis(report))
      #expect(diagnosis.name == "signature-not-checked" && diagnosis.advice.key == key)
      #expect(report.signatures[0][.chain]?.reason?.name.hasPrefix("issuer") == !lists.isEmpty)
    }
  }
}
