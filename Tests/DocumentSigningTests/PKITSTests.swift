import CIECard
import CZLib
import Foundation
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// The paths and CRLs of NIST's Public Key Interoperability Test Suite, judged as those of a signature. The name of an end
/// certificate says whether its path is valid; the score is pinned by the exceptions.
@Suite struct PKITSTests {
  private let ends: [(name: String, certificate: Certificate)]
  private let authorities: [Certificate]
  private let anchor: Certificate
  private let lists: [RevocationList]

  /// All of the suite is valid then, but for what is about dates.
  private static let time: UTCTime = 1_577_836_800

  init() throws {
    ends = try Self.objects("pkits-ends").compactMap { name, der in
      (try? Certificate(der: der)).map { (name, $0) }
    }
    let others = try Self.objects("pkits-authorities").compactMap { name, der in
      (try? Certificate(der: der)).map { (name, $0) }
    }
    anchor = try #require(others.first { $0.0 == "TrustAnchorRootCertificate" }?.1)
    authorities = others.filter { $0.0 != "TrustAnchorRootCertificate" }.map(\.1)
    lists = try Self.objects("pkits-lists").compactMap { RevocationList($0.der) }
  }

  /// One of the files that `make-pkits.py` made.
  private struct File: Decodable {
    let names: [String]
    let length: Int
    let deflated: [String]
  }

  private static func objects(_ file: String) throws -> [(name: String, der: [UInt8])] {
    let file = try Vectors.decode(file, as: File.self)
    let deflated = [UInt8](try #require(Data(base64Encoded: file.deflated.joined())))
    var length = uLong(file.length)
    var joined = [UInt8](repeating: 0, count: file.length)
    try #require(
      uncompress(&joined, &length, deflated, uLong(deflated.count)) == Z_OK && length == file.length
    )
    var rest = TLVCursor(joined)
    let objects = try file.names.map { ($0, [UInt8](try rest.next(DER.sequence).encoded)) }
    try #require(rest.isAtEnd)
    return objects
  }

  /// The result for an end certificate: a path, each certificate of it at its time, and a word on each.
  private enum Result: Equatable { case valid, noPath, outOfTime, revoked, unknown }

  private func result(_ end: Certificate) -> Result {
    let found = CertificationPath(from: end, to: [anchor], through: authorities)
    guard case .found(let path) = found else { return .noPath }
    guard path.allSatisfy({ $0.notBefore <= Self.time && Self.time <= $0.notAfter }) else {
      return .outOfTime
    }
    for (certificate, issuer) in zip(path, path.dropFirst()) {
      let words = lists.compactMap { $0.status(of: certificate, issuer: issuer) }
      if words.contains(where: { $0.revokedAt != nil }) { return .revoked }
      guard words.contains(where: { $0.covers(Self.time) }) else { return .unknown }
    }
    return .valid
  }

  /// The ends among `cases` that are not judged as `expected`, with their results.
  private func exceptions(
    to expected: (Result) -> Bool, among cases: [(name: String, certificate: Certificate)]
  ) -> [String: Result] {
    let judged = cases.map { ($0.name, result($0.certificate)) }
    return Dictionary(uniqueKeysWithValues: judged.filter { !expected($0.1) })
  }

  @Test func noInvalidPathIsProved() {
    let invalid = ends.filter { $0.name.hasPrefix("Invalid") }
    #expect(invalid.count == 115 && lists.count == 173)
    // Revoked by a delta CRL, which is not used; the complete one of the same time says good. In a file the delta CRL
    // beside it ends with `deltaList`.
    #expect(
      exceptions(to: { $0 != .valid }, among: invalid) == ["InvaliddeltaCRLTest4EE": .valid])
  }

  @Test func validPathsAreProved() {
    let valid = ends.filter { $0.name.hasPrefix("Valid") }
    #expect(valid.count == 88)
    let unknown: [String] = [
      // The CRL is signed by a key of the issuer that did not sign the certificate: only that key is believed.
      "BasicSelfIssuedCRLSigningKeyTest6", "BasicSelfIssuedNewWithOldTest4",
      "BasicSelfIssuedOldWithNewTest1", "DNnameConstraintsTest19",
      "SelfIssuedinhibitAnyPolicyTest7", "SelfIssuedinhibitAnyPolicyTest9",
      "SelfIssuedinhibitPolicyMappingTest7", "SelfIssuedpathLenConstraintTest15",
      "SelfIssuedpathLenConstraintTest17", "SelfIssuedrequireExplicitPolicyTest6",
      "SeparateCertificateandCRLKeysTest19",
      // Indirect CRLs are not judged.
      "IDPwithindirectCRLTest22", "IDPwithindirectCRLTest24", "IDPwithindirectCRLTest25",
      "cRLIssuerTest28", "cRLIssuerTest29", "cRLIssuerTest30", "cRLIssuerTest33",
      // Neither are CRLs for some reasons.
      "onlySomeReasonsTest18", "onlySomeReasonsTest19",
    ]
    var expected: [String: Result] = [
      // DSA is not supported.
      "ValidDSAParameterInheritanceTest5EE": .noPath, "ValidDSASignaturesTest4EE": .noPath,
      // A delta CRL, which is not used, takes the certificate off the complete one.
      "ValiddeltaCRLTest5EE": .revoked,
    ]
    for name in unknown { expected["Valid\(name)EE"] = .unknown }
    #expect(exceptions(to: { $0 == .valid }, among: valid) == expected)
  }

  /// The ends without a verdict in their names, whose results depend on the policies that a relying party demands. This
  /// program demands no policy, but an authority on the path may (requireExplicitPolicy).
  @Test func policiesOfAuthorities() {
    let others = ends.filter { !$0.name.hasPrefix("Valid") && !$0.name.hasPrefix("Invalid") }
    #expect(others.count == 20)
    let different = [4, 5, 7, 8, 9, 12].map { ("DifferentPoliciesTest\($0)EE", Result.noPath) }
    #expect(
      exceptions(to: { $0 == .valid }, among: others) == Dictionary(uniqueKeysWithValues: different)
    )
  }
}
