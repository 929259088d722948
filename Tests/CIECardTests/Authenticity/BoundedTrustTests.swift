@testable import Primitives
@testable import CIECard
import TestSupport
import Testing

/// Keys and stores that require more work than any document justifies.
@Suite struct BoundedTrustTests {
  /// Each of them would take minutes without a limit: the test finishes.
  @Test func hostileKeysAreNotCalculatedWith() throws {
    let documents = try IASDocuments.load()
    let vector = try documents.named("first-generation")
    for key in documents.hostileKeys {
      var evidence = try documents.evidence(vector)
      evidence.securityObject = key.securityObject.bytes
      let report = AuthenticityReport(judging: evidence, trust: try vector.store, at: documents.at)
      #expect(report.outcome != .proved, "\(key.comment)")
      #expect(report[.signature] != .proved, "\(key.comment)")
    }
  }

  @Test func longModuliHaveShortExponents() {
    func key(_ modulus: Int, _ exponent: Int) -> RSAPublicKey? {
      RSAPublicKey(
        modulus: [UInt8](repeating: 0xFF, count: modulus),
        exponent: [UInt8](repeating: 0xFD, count: exponent))
    }
    #expect(key(384, 384) != nil && key(385, 8) != nil && key(1024, 8) != nil)
    #expect(key(385, 9) == nil && key(1024, 1024) == nil && key(1025, 3) == nil)
  }

  /// The signer is found among many of its name, at any place, and so is a path over links.
  @Test func sameNamesAreToldApart() throws {
    let documents = try IASDocuments.load()
    func anchors(_ name: String) throws -> [Certificate] {
      try documents.named(name).trust.map { try Certificate(der: $0.bytes) }
    }
    let others = try anchors("other-csca-same-name") + anchors("rekeyed-csca")
    let signer = try #require(
      try SecurityObject(file: documents.named("first-generation").securityObject.bytes).signer)
    let root = try anchors("first-generation")
    for store in [others + root, root + others] {
      let chain = try TrustStore(store).chain(of: signer, at: documents.at)
      guard case .path(let path) = chain else {
        Issue.record("\(chain)")
        continue
      }
      #expect(path.first == signer && path.count == 2)
    }
    let linked = try TrustStore(anchors("other-csca-same-name") + anchors("link-certificate"))
    guard case .path(let path) = linked.chain(of: signer, at: documents.at) else {
      Issue.record("no way over the link")
      return
    }
    #expect(path.count == 3)
  }
}
