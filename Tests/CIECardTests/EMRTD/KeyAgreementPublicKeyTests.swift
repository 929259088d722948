import TestSupport
import Testing

@testable import CIECard

/// The keys of chip authentication in every form that documents use.
@Suite struct KeyAgreementPublicKeyTests {
  struct Groups: Decodable {
    let dh: [Field]
    let ecdh: [Curve]
  }

  struct Field: Decodable {
    let id: Int
    let p: HexBytes
    let g: HexBytes
    let q: HexBytes
  }

  struct Curve: Decodable {
    let name: String
    let p: HexBytes
    let a: HexBytes
    let b: HexBytes
    let gx: HexBytes
    let gy: HexBytes
    let n: HexBytes

    /// The numbers of P-521 are written with an odd number of digits.
    struct HexBytes: Decodable {
      let bytes: [UInt8]

      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        bytes = try Hex.bytes(text.count.isMultiple(of: 2) ? text : "0" + text)
      }
    }
  }

  private let groups: Groups

  init() throws { groups = try Vectors.decode("domain-params", as: Groups.self) }

  /// The key of the first id-PK in a published DG14.
  private func published(_ name: String) throws -> KeyAgreementPublicKey {
    let cases = try Vectors.cases("securityinfos", of: SecurityInfosTests.Case.self)
    let infos = try #require(cases.first { $0.name == name }).parsed.infos
    guard case .chipAuthenticationPublicKey(let info) = infos.first else {
      throw DataGroup.Malformation.missing(tag: DER.sequence)
    }
    return try KeyAgreementPublicKey(subjectPublicKeyInfo: info.subjectPublicKeyInfo)
  }

  private static func number(_ value: [UInt8]) -> [UInt8] { TLV.encode(DER.integer, [0] + value) }

  private static func info(_ algorithm: String, _ parameters: [UInt8], _ key: [UInt8]) throws
    -> [UInt8]
  {
    let identifier = TLV.encode(DER.objectIdentifier, try SecurityInfosTests.octets(algorithm))
    return TLV.encode(
      DER.sequence,
      [
        TLV.encode(DER.sequence, identifier + parameters),
        TLV.encode(DER.bitString, [0] + key),
      ])
  }

  @Test func pkcs3AsInTheSampleOfDoc9303() throws {
    let key = try published("icao-sample-dg14")
    guard case .field(let prime, let generator, nil) = key.domain else {
      Issue.record("\(key.domain)")
      return
    }
    #expect(prime.bitLength == 1024 && prime.starts(with: [0xDC, 0xB5, 0x54]))
    #expect(generator.count == 128 && generator.starts(with: [0x2E, 0x69, 0xFE]))
    #expect(key.publicValue.count == 128 && key.publicValue.starts(with: [0x55, 0x3C, 0xE7]))
  }

  @Test func explicitCurveAsInTheReferenceDataOfBSI() throws {
    let key = try published("bsi-dg14")
    guard case .explicitCurve(let curve) = key.domain else {
      Issue.record("\(key.domain)")
      return
    }
    let known = try #require(groups.ecdh.first { $0.name == "brainpoolP224r1" })
    #expect(curve.prime == known.p.bytes && curve.order == known.n.bytes)
    #expect(curve.a == known.a.bytes && curve.b == known.b.bytes && curve.cofactor == [1])
    #expect(curve.generator == [4] + known.gx.bytes + known.gy.bytes)
    #expect(key.publicValue.count == 57 && key.publicValue.first == 4)
  }

  @Test func x942HasTheOrderOfTheSubgroup() throws {
    for field in groups.dh {
      let parameters = TLV.encode(
        DER.sequence, [field.p, field.g, field.q].map { Self.number($0.bytes) })
      let key = try KeyAgreementPublicKey(
        subjectPublicKeyInfo: Self.info("1.2.840.10046.2.1", parameters, Self.number([9, 8])))
      #expect(
        key.domain
          == .field(prime: field.p.bytes, generator: field.g.bytes, order: field.q.bytes))
      #expect(key.publicValue == [9, 8])
    }
  }

  @Test func namedAndStandardisedDomains() throws {
    let p256 = try SecurityInfosTests.octets("1.2.840.10045.3.1.7")
    let point: [UInt8] = [4] + [UInt8](repeating: 7, count: 64)
    let named = try KeyAgreementPublicKey(
      subjectPublicKeyInfo: Self.info(
        "1.2.840.10045.2.1", TLV.encode(DER.objectIdentifier, p256), point))
    #expect(named.domain == .namedCurve(objectIdentifier: p256) && named.publicValue == point)
    let standard = "0.4.0.127.0.7.1.2"
    let curve = try KeyAgreementPublicKey(
      subjectPublicKeyInfo: Self.info(standard, [2, 1, 13], point))
    #expect(curve.domain == .standardized(13) && curve.publicValue == point)
    let field = try KeyAgreementPublicKey(
      subjectPublicKeyInfo: Self.info(standard, [2, 1, 2], Self.number([5])))
    #expect(field.domain == .standardized(2) && field.publicValue == [5])
  }

  @Test func otherKeysAreRefused() throws {
    let rsa = try Self.info("1.2.840.113549.1.1.1", [5, 0], [1])
    let point: [UInt8] = [4, 1, 1]
    let wrong = [
      rsa, try Self.info("1.2.840.10045.2.1", [5, 0], point),
      try Self.info("0.4.0.127.0.7.1.2", [2, 0], point),
      try Self.info("0.4.0.127.0.7.1.2", [2, 5, 1, 1, 1, 1, 1], point),
      try Self.info("1.2.840.10045.2.1", [6, 1, 0x2A], point) + [0],
    ]
    for bytes in wrong {
      #expect(throws: DataGroup.Malformation.self) {
        try KeyAgreementPublicKey(subjectPublicKeyInfo: bytes)
      }
    }
  }

  @Test func hostile() throws {
    let cases = try Vectors.cases("securityinfos", of: SecurityInfosTests.Case.self)
    let keys = try cases.flatMap { try $0.parsed.infos }.compactMap { info in
      guard case .chipAuthenticationPublicKey(let key) = info else { return [UInt8]?.none }
      return key.subjectPublicKeyInfo
    }
    #expect(keys.count == 2)
    for key in keys {
      for prefix in HostileFiles.prefixes(of: key) {
        #expect(throws: DataGroup.Malformation.truncated) {
          try KeyAgreementPublicKey(subjectPublicKeyInfo: prefix)
        }
      }
      for changed in HostileFiles.changes(of: key, at: key.indices) {
        do throws(DataGroup.Malformation) {
          _ = try KeyAgreementPublicKey(subjectPublicKeyInfo: changed)
        } catch {}
      }
    }
    for file in HostileFiles.madeUp(tag: 0x30, inner: [0x30, 0x06, 0x03]) {
      #expect(throws: DataGroup.Malformation.self) {
        try KeyAgreementPublicKey(subjectPublicKeyInfo: file)
      }
    }
  }
}
