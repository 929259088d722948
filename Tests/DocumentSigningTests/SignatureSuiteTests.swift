import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Signatures of strangers' suites, judged as those of documents. The scores are pinned, and so are the files with deviations.
@Suite struct SignatureSuiteTests {
  private func score(_ name: String) throws -> SuiteScore {
    try SuiteScore(of: name) { group in
      let signer = try SuiteSigner(group)
      return { vector in
        try #require(vector.values.count == 2)
        return try signer.verdict(on: vector.values[1], of: vector.values[0])
      }
    }
  }

  /// SHA-1 protects no signature here, as a hash or in the mask.
  private static let weak = "valid weakAlgorithm"
  /// A curve that no document of a state is signed on; it is named, and nothing is called false.
  private static let otherCurve = #"valid unsupportedAlgorithm("secp256k1")"#

  @Test func wycheproof() throws {
    let score = try score("wycheproof-signatures")
    // DigestInfo without the parameters of the hash function: "acceptable" there, and told apart here.
    if Suite.whole == nil {
      #expect(
        score.counts == [
          "valid accepted": 124, "invalid refused": 204, "acceptable digestInfo": 2,
          Self.otherCurve: 8, #"invalid unsupportedAlgorithm("secp256k1")"#: 12,
        ])
      #expect(score.deviatingFiles == [Self.otherCurve: ["ecdsa_secp256k1_sha256"]])
    } else {
      #expect(
        score.counts == [
          "valid accepted": 4470, "invalid refused": 8528, "acceptable digestInfo": 13,
          Self.weak: 255, "invalid weakAlgorithm": 137, Self.otherCurve: 405,
          #"invalid unsupportedAlgorithm("secp256k1")"#: 617,
        ])
      #expect(
        score.deviatingFiles == [
          Self.otherCurve: ["ecdsa_secp256k1_sha256", "ecdsa_secp256k1_sha512"],
          Self.weak: [
            "rsa_pss_2048_sha1_mgf1_20", "rsa_pss_2048_sha1_mgf1_20_params",
            "rsa_pss_2048_sha256_mgf1sha1_20", "rsa_pss_misc", "rsa_pss_misc_params",
          ],
        ])
    }
  }

  @Test func cavp() throws {
    let score = try score("cavp-signatures")
    if Suite.whole == nil {
      #expect(score.counts == ["valid accepted": 8, "invalid refused": 36])
    } else {
      #expect(
        score.counts == [
          "valid accepted": 180, "invalid refused": 840, Self.weak: 60,
          "invalid weakAlgorithm": 270,
        ])
      #expect(Set(score.deviations.keys) == [Self.weak])
      let others = score.deviations[Self.weak].map { $0.filter { !Self.usesSHA1($0, $1) } }
      #expect(others?.isEmpty == true)
    }
  }

  /// True if a case of CAVP is of SHA-1, as all of FIPS 186-2 are for ECDSA.
  private static func usesSHA1(_ file: String, _ names: [String]) -> Bool {
    file.hasPrefix("FIPS_186-2 ") || file.hasSuffix(",SHA-1")
      || names.allSatisfy { $0.hasSuffix(" sha1") }
  }
}
