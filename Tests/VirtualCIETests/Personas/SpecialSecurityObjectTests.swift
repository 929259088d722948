import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// Security objects in the forms of published cards that the six families do not have.
@Suite struct SpecialSecurityObjectTests {
  /// sha1WithRSAEncryption (RFC 8017 §A.2.4) as an AlgorithmIdentifier.
  private static let sha1WithRSA: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05, 0x05, 0x00,
  ]
  /// The object identifiers of SHA-1 and SHA-256.
  private static let sha1: [UInt8] = [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]
  private static let sha256: [UInt8] = [
    0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01,
  ]

  /// 2018 and 2019: version 0 of the list, SHA-1 in signatures and certificates; in the hashes of the document only.
  @Test func sha1() throws {
    let persona = Persona.early
    let document = try Message(persona.travelDocument.securityObject)
    let identity = try Message(persona.securityObject)
    for (message, digest) in [(document, Self.sha1), (identity, Self.sha256)] {
      #expect(message.list[0].value == [0])
      #expect(message.list[1].value.starts(with: digest))
      #expect(message.digestAlgorithm.value.starts(with: digest))
      #expect(message.signatureAlgorithm.encoded == Self.sha1WithRSA)
      #expect(message.signer[1].encoded == Self.sha1WithRSA)
      #expect(try Certificate(der: message.certificate).notBefore == 1_514_764_800)
    }
    #expect(document.certificate != identity.certificate)
  }

  /// The test issuance of 2020: one signer for both sides, PSS with SHA-512, version 1 of the list.
  @Test func oneSignerForBothSides() throws {
    let persona = Persona.senior
    let document = try Message(persona.travelDocument.securityObject)
    let identity = try Message(persona.securityObject)
    #expect(document.certificate == identity.certificate)
    #expect(persona.csca == persona.documentCSCA)
    for message in [document, identity] {
      #expect(message.list.count == 4 && message.list[0].value == [1])
      // id-RSASSA-PSS.
      #expect(
        message.signatureAlgorithm.value.starts(with: try Hex.bytes("06092A864886F70D01010A")))
    }
    for other in Persona.everyone where other.identifier != persona.identifier {
      #expect(other.csca != other.documentCSCA, "\(other.identifier)")
    }
  }

  /// A CMS SignedData with one certificate and one signer (RFC 5652 §5), under tag 77.
  private struct Message {
    let list: [BERObject]
    let certificate: [UInt8]
    /// tbsCertificate, signatureAlgorithm, signature.
    let signer: [BERObject]
    let digestAlgorithm: BERObject
    let signatureAlgorithm: BERObject

    init(_ file: [UInt8]) throws {
      let outer = try Self.members(of: try #require(BERObject.single(0x77, file)).value)
      let signed = try Self.members(of: try #require(outer.last).value)
      try #require(signed.count == 5)
      let content = try #require(BERObject.list(signed[2].value)?.last)
      let octets = try #require(BERObject.single(0x04, content.value))
      list = try Self.members(of: octets.value)
      certificate = signed[3].value
      signer = try Self.members(of: signed[3].value)
      let info = try Self.members(of: signed[4].value)
      try #require(info.count == 6)
      (digestAlgorithm, signatureAlgorithm) = (info[2], info[4])
    }

    private static func members(of sequence: [UInt8]) throws -> [BERObject] {
      try #require(BERObject.single(0x30, sequence).flatMap { BERObject.list($0.value) })
    }
  }
}
