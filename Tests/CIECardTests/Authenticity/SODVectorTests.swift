@testable import CIECard
import TestSupport
import Testing

/// The published and generated eMRTD security objects of `sod.json`: the IAS application uses the same structure.
@Suite struct SODVectorTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let sod: HexBytes
    let csca: HexBytes?
    let dataGroups: [String: HexBytes]
    let expect: Expectation

    var testDescription: String { name }
  }

  struct Expectation: Decodable, Sendable {
    let result: Result
    let reason: Reason?
    let econtentType: String
    let ldsVersion: Int
    let ldsDigest: String
    let dgNumbers: [UInt8]
    let signerDigest: String
    let signatureAlgorithm: String
    let sid: String
  }

  enum Result: String, Decodable, Sendable {
    case valid, invalid
    case validWithoutChain = "valid without chain"
  }

  enum Reason: String, Decodable, Sendable {
    case hash = "data group hash"
    case digest = "messageDigest attribute"
    case chain = "certificate chain"
  }

  /// 2026-01-01T00:00:00Z, the time that the file requires.
  static let time: UTCTime = 1_767_225_600

  @Test(arguments: try Vectors.cases("sod", of: Case.self))
  func evaluates(vector: Case) throws {
    let object = try SecurityObject(file: vector.sod.bytes)
    let expect = vector.expect
    #expect(expect.econtentType == SecurityObject.contentType)
    #expect(object.contents.version == expect.ldsVersion)
    #expect(object.contents.hashAlgorithm.rawValue == expect.ldsDigest)
    #expect(object.contents.dataGroups.map { $0.number } == expect.dgNumbers)
    #expect(object.signed.digestAlgorithm?.rawValue == expect.signerDigest)
    #expect(object.signed.signatureAlgorithm == expect.signatureAlgorithm)
    #expect(expect.sid == "issuer_and_serial_number")

    #expect(object.signed.signature == (expect.reason == .digest ? .contentsAltered : .valid))
    let isListTrue = expect.reason == nil || expect.reason == .chain
    #expect(try hashesAgree(object, vector.dataGroups) == isListTrue)
    guard let csca = vector.csca else {
      #expect(expect.result == .validWithoutChain)
      return
    }
    let anchor = try Certificate(der: csca.bytes)
    let signer = try #require(object.signer)
    let chain = try TrustStore([anchor]).chain(of: signer, at: Self.time)
    if expect.reason == .chain {
      // The signer names another key of the same CSCA: not trusted, and not called a forgery.
      #expect(chain == .issuerKeyUnknown)
    } else if object.usesSHA1 {
      // Of 2022: later than any genuine document with SHA-1.
      #expect(chain == .unsupported(algorithm: "1.2.840.113549.1.1.5"))
    } else {
      #expect(chain == .path([signer, anchor]))
      #expect(signer.isValid(at: Self.time) && anchor.isValid(at: Self.time))
    }
    #expect((expect.result == .invalid) == (expect.reason != nil))
  }

  private func hashesAgree(
    _ object: SecurityObject, _ groups: [String: HexBytes]
  ) throws -> Bool {
    #expect(!groups.isEmpty)
    return try groups.allSatisfy { name, contents in
      let number = try #require(UInt8(name.dropFirst(2)))
      let listed = try #require(object.contents.hash(of: number))
      return try object.contents.hashAlgorithm.hash(contents.bytes) == listed
    }
  }
}
