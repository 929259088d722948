@testable import CIECard
import TestSupport
import Testing

/// Security objects that were cut or changed in one byte: a value or an error, and never a wrong proof.
@Suite struct HostileSecurityObjectTests {
  let documents: IASDocuments

  init() throws { documents = try IASDocuments.load() }

  @Test(arguments: ["first-generation", "second-generation"])
  func everyPrefixIsRefused(name: String) throws {
    let file = try documents.named(name).securityObject.bytes
    for length in 0..<file.count {
      #expect(throws: AuthenticityReport.SecurityObjectError.notASecurityObject) {
        try SecurityObject(file: [UInt8](file.prefix(length)))
      }
    }
  }

  @Test(arguments: ["first-generation", "second-generation"])
  func everyPrefixOfTheStructureIsRefused(name: String) throws {
    let file = try documents.named(name).securityObject.bytes
    for length in 0..<(file.count - 4) {
      let wrapped = TLV.encode(0x77, [UInt8](file.dropFirst(4).prefix(length)))
      #expect(throws: AuthenticityReport.SecurityObjectError.self) {
        try SecurityObject(file: wrapped)
      }
    }
  }

  @Test(
    arguments: ["first-generation", "second-generation", "no-attributes"], [UInt8(0x01), 0xFF])
  func noChangedByteIsProvedToBeSomethingElse(name: String, mask: UInt8) throws {
    let vector = try documents.named(name)
    let evidence = try documents.evidence(vector)
    let store = try vector.store
    let file = vector.securityObject.bytes
    let good = try SecurityObject(file: file)
    let signed = try signedRanges(of: file, good)
    for index in file.indices {
      var changed = evidence
      changed.securityObject?[index] ^= mask
      let report = AuthenticityReport(judging: changed, trust: store, at: documents.at)
      guard report.outcome == .proved else { continue }
      // Unsigned parts may vary: versions, the set of digest algorithms, the signer identifier.
      #expect(!signed.contains { $0.contains(index) }, "byte \(index)")
      let object = try SecurityObject(file: changed.securityObject ?? [])
      #expect(object.contents == good.contents && object.signer == good.signer, "byte \(index)")
    }
  }

  /// The ranges of the hash list and the signer's certificate, and the signature, which is the end of the file.
  private func signedRanges(of file: [UInt8], _ good: SecurityObject) throws -> [Range<Int>] {
    let cms = try SignedContents([UInt8](file.dropFirst(4)))
    let content = try #require(range(of: cms.content, in: file))
    let signer = try #require(good.signer)
    let certificate = try #require(range(of: signer.der, in: file))
    return [content, certificate, file.count - 256..<file.count]
  }

  private func range(of part: [UInt8], in file: [UInt8]) -> Range<Int>? {
    file.indices.first { file[$0...].starts(with: part) }.map { $0..<$0 + part.count }
  }

  @Test func hostileLengthsAreRefused() throws {
    let files: [[UInt8]] = [
      [], [0x77], [0x77, 0x80], [0x77, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x77, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x77, 0x82, 0xFF, 0xFF, 0x30],
      [0x30, 0x00], [0xFF, 0xFF, 0xFF, 0xFF],
    ]
    for file in files {
      #expect(throws: AuthenticityReport.SecurityObjectError.notASecurityObject) {
        try SecurityObject(file: file)
      }
    }
    #expect(throws: AuthenticityReport.SecurityObjectError.self) {
      try SecurityObject(file: [0x77, 0x00])
    }
    #expect(throws: AuthenticityReport.SecurityObjectError.self) {
      try SecurityObject(file: [0x77, 0x06, 0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])
    }
  }
}
