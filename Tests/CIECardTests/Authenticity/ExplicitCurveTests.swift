@testable import CIECard
import TestSupport
import Testing

/// Elliptic curves by name and by parameters: the known ones are trusted, all others are not, however plausible.
@Suite struct ExplicitCurveTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let anchor: HexBytes
    let signer: HexBytes
    let securityObject: HexBytes
    let expect: Expectation

    var testDescription: String { name }
  }

  struct Expectation: Decodable, Sendable {
    let signature: Bool
    let chain: Bool
  }

  @Test(arguments: try Vectors.cases("explicit-curves", of: Case.self))
  func believesKnownCurvesOnly(vector: Case) throws {
    let anchor = try Certificate(der: vector.anchor.bytes)
    let signer = try Certificate(der: vector.signer.bytes)
    let chain = try TrustStore([anchor]).chain(of: signer, at: 1_767_225_600)
    #expect(
      chain
        == (vector.expect.chain
          ? .path([signer, anchor]) : .refused(reason: "unknown elliptic curve")))
    let object = try SecurityObject(file: vector.securityObject.bytes)
    #expect(object.signed.signature == (vector.expect.signature ? .valid : .unsupported))
  }
}
