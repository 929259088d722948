import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// A CMS signature around a vector's key, message and signature value, judged as one of a document.
struct SuiteSigner {
  private let certificate: [UInt8]
  private let digestAlgorithm: [UInt8]
  private let signatureAlgorithm: [UInt8]

  /// - Throws: for a group that lacks what its kind demands.
  init(_ group: Suite.Group) throws {
    let hash = try #require(group.hash.flatMap { HashAlgorithm(rawValue: $0) })
    digestAlgorithm = Self.algorithm(hash.objectIdentifier, Self.null)
    switch group.kind {
    case "pkcs1":
      let last = try #require(
        [.sha1: 5, .sha224: 14, .sha256: 11, .sha384: 12, .sha512: 13][hash] as UInt8?)
      signatureAlgorithm = Self.algorithm(Self.pkcs1 + [last], Self.null)
    case "pss":
      let mask = try #require(group.mask.flatMap { HashAlgorithm(rawValue: $0) })
      signatureAlgorithm = Self.pss(hash, mask, salt: try #require(group.salt))
    default:
      let x962: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04]
      let last = try #require(
        [.sha1: [1], .sha224: [3, 1], .sha256: [3, 2], .sha384: [3, 3], .sha512: [3, 4]][hash]
          as [UInt8]?)
      signatureAlgorithm = Self.algorithm(x962 + last, [])
    }
    certificate = Self.certificate(of: try #require(group.key).bytes)
  }

  /// pkcs-1, 1.2.840.113549.1.1 (RFC 8017 appendix C).
  private static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
  /// The parameters of an algorithm that has none, and a name without attributes.
  private static let null: [UInt8] = [0x05, 0x00]
  private static let noName: [UInt8] = [0x30, 0x00]
  /// The integers 1 and 2.
  private static let one: [UInt8] = [0x02, 0x01, 0x01]
  private static let two: [UInt8] = [0x02, 0x01, 0x02]

  private static func algorithm(_ identifier: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
    TLV.encode(DER.sequence, TLV.encode(DER.objectIdentifier, identifier) + parameters)
  }

  /// RSASSA-PSS-params (RFC 8017 appendix A.2.3).
  private static func pss(_ hash: HashAlgorithm, _ mask: HashAlgorithm, salt: Int) -> [UInt8] {
    let generation = algorithm(pkcs1 + [8], algorithm(mask.objectIdentifier, null))
    let fields = [
      TLV.encode(0xA0, algorithm(hash.objectIdentifier, null)), TLV.encode(0xA1, generation),
      TLV.encode(0xA2, [0x02, 0x01, UInt8(salt)]),
    ]
    return algorithm(pkcs1 + [10], TLV.encode(DER.sequence, fields))
  }

  /// A certificate of this key. It has no name and an empty signature, because its path is not judged.
  static func certificate(of key: [UInt8]) -> [UInt8] {
    let scheme = algorithm(pkcs1 + [11], null)
    let day = TLV.encode(0x17, [UInt8]("250101000000Z".utf8))
    let fields = [
      TLV.encode(0xA0, two), one, scheme, noName, TLV.encode(DER.sequence, day + day), noName, key,
    ]
    return TLV.encode(
      DER.sequence, [TLV.encode(DER.sequence, fields), scheme, [0x03, 0x01, 0x00]])
  }

  /// The verdict on the point "signature" of a file that holds `message`.
  func verdict(on signature: [UInt8], of message: [UInt8]) throws -> SuiteScore.Verdict {
    let signer = try Self.signer(
      named: Self.noName + Self.one, digestAlgorithm, signatureAlgorithm, signature)
    var data = SignedData()
    (data.certificateSet, data.digestAlgorithms) = ([certificate], [digestAlgorithm])
    data.signers = [signer]
    let report = try SignerJudge(trust: nil, time: 1_735_689_600).judge(
      signer, of: data, mayBeBare: true
    ) { hash throws(DocumentError) in try? hash.hash(message) }.report
    switch try #require(report[.signature]) {
    case .proved: return .accepted
    case .false(.signatureWrong): return .refused
    case .false(let reason): return .undecided("false \(reason)")
    case .couldNotCheck(let reason): return .undecided("\(reason)")
    }
  }

  /// A SignerInfo without attributes.
  ///
  /// - Parameter identifier: the contents of issuerAndSerialNumber.
  static func signer(
    named identifier: [UInt8], _ digestAlgorithm: [UInt8], _ signatureAlgorithm: [UInt8],
    _ signature: [UInt8]
  ) throws -> SignerInfo {
    try SignerInfo(
      TLV.encode(
        DER.sequence,
        [
          one, TLV.encode(DER.sequence, identifier), digestAlgorithm, signatureAlgorithm,
          TLV.encode(DER.octetString, signature),
        ]))
  }
}
