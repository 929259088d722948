@testable import CIECard
import TestSupport
import Testing

/// The State's signature on the key of device authentication, before a PIN goes to the chip.
@Suite struct DeviceKeyTests {
  let documents: IASDocuments
  let key: [UInt8]

  init() throws {
    documents = try IASDocuments.load()
    key = try #require(documents.files["A4"]).bytes
  }

  private func verdict(
    _ name: String, key: [UInt8]? = nil, at time: UTCTime? = nil
  ) throws -> AuthenticityReport.Verdict {
    let vector = try documents.named(name)
    return AuthenticityReport.judgeDeviceKey(
      key ?? self.key, securityObject: vector.securityObject.bytes, trust: try vector.store,
      at: time ?? documents.at)
  }

  @Test func vouchedForByItaly() throws {
    for name in ["first-generation", "second-generation", "no-document-types", "sha1-of-2018"] {
      #expect(try verdict(name) == .proved, "\(name)")
      #expect(try verdict(name, key: key + [0, 0]) == .proved)
    }
    // It stays the card's key after the signer's certificate has expired.
    #expect(try verdict("first-generation", at: 4_000_000_000) == .proved)
  }

  @Test func anotherKeyIsFalse() throws {
    var other = key
    other[40] ^= 1
    #expect(try verdict("first-generation", key: other) == .false(.hashDiffers))
    #expect(try verdict("first-generation", key: []) == .false(.malformedFile))
  }

  @Test func onlyItalyVouches() throws {
    #expect(
      try verdict("foreign-csca") == .false(.otherState(issuing: "ITA", signing: "FR")))
    #expect(try verdict("other-signing-key") == .false(.signatureWrong))
    #expect(try verdict("web-server") == .false(.notASigner))
    #expect(
      try verdict("other-document-types") == .false(.otherDocumentType(["P", "AC"])))
  }

  @Test func whatCannotBeCheckedIsSaid() throws {
    #expect(try verdict("sha1-version-1") == .couldNotCheck(.weakAlgorithm))
    guard case .couldNotCheck(.issuerUnknown) = try verdict("other-csca") else {
      Issue.record("an anchor of another name")
      return
    }
    let object = try documents.named("first-generation").securityObject.bytes
    #expect(
      AuthenticityReport.judgeDeviceKey(key, securityObject: object, trust: nil, at: documents.at)
        == .couldNotCheck(.noTrustStore))
    #expect(
      AuthenticityReport.judgeDeviceKey(
        key, securityObject: nil, trust: .italian, at: documents.at) == .couldNotCheck(.notRead))
  }
}
