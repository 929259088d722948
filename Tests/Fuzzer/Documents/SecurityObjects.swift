internal import TestSupport

@testable import CIECard
@testable import VirtualCIE

/// Data signed by an authority: unchanged, and signed by the fuzzer.
extension FuzzTarget {
  static let securityObjects = [
    certificate, securityObject, signedObject, hashList, masterList, evidence,
  ]

  private static let time: UTCTime = 1_767_225_600

  private static let certificate = FuzzTarget("certificate") {
    try Persona.everyone.flatMap { [$0.certificate, $0.csca] }
      + Seeds.vectors("travel-documents", ["foreign_anchor"]) + Seeds.vectors("sod", ["csca"])
  } play: { probe in
    let certificate = try Certificate(cutting: probe.bytes)
    probe.require(probe.bytes.starts(with: certificate.der), "the beginning of what came")
    _ = CertificateHolder(certificate.subject)
    _ = (try? certificate.text, certificate.encodedFields, DocumentTypeList(of: certificate))
    let store = try TrustStore([certificate])
    _ = store.anchor(of: certificate, at: time)
  }

  private static let objects = Result {
    try Seeds.vectors("sod", ["sod"]) + Seeds.vectors("ias-sod", ["security_object"])
      + Persona.everyone.map(\.securityObject)
      + Persona.everyone.map(\.travelDocument.securityObject)
  }

  /// The signed hash lists.
  private static let signed = Result {
    try objects.get().compactMap { try? SecurityObject(file: $0) }.map(\.contents)
  }

  private static let securityObject = FuzzTarget("sod") {
    try objects.get().filter { $0.count < 6000 }
  } play: { probe in
    let object = try SecurityObject(file: probe.bytes)
    if object.signed.signature == .valid {
      probe.require(
        (try? signed.get())?.contains(object.contents) == true, "nobody has signed this hash list")
    }
  }

  /// A security object and a master list whose attributes the fuzzer writes and whose signature is right.
  private static let signedObject = FuzzTarget("signed-object") {
    let digest = try HashAlgorithm.sha256.hash(SignedObject.hashList)
    let attributes = SignedObject.attributes(digest)
    return [[0] + attributes, [1] + SignedObject.hashList]
  } play: { probe in
    let (choices, rest) = probe.split(1)
    // Half of the inputs are the signed content, the others the attributes.
    let file =
      choices[0] & 1 == 0
      ? try SignedObject.make(SignedObject.hashList, attributes: rest)
      : try SignedObject.make(rest, attributes: nil)
    let object = try SecurityObject(file: file)
    // Attributes in another order or encoding than DER's are not the signed ones.
    probe.require(
      choices[0] & 1 == 0 || object.signed.signature == .valid, "the signature is right")
  }

  private static let hashList = FuzzTarget("hash-list") {
    try objects.get().compactMap {
      try? SignedContents(TLVCursor($0).first(SecurityObject.tag).bytes).content
    }
  } play: { probe in
    let list = try LDSSecurityObject(probe.bytes)
    probe.require(
      list.dataGroups.allSatisfy { $0.hash.count == list.hashAlgorithm.length }, "whole hashes")
  }

  private static let masterList = FuzzTarget("master-list") {
    let files = try Seeds.vectors("master-lists", ["list"])
    let contents = files.compactMap { try? SignedContents($0).content }
    return Seeds.behind([[0]], files.filter { $0.count < 6000 }) + Seeds.behind([[1]], contents)
  } play: { probe in
    let (choices, rest) = probe.split(1)
    if choices[0] & 1 == 0 {
      let anchors = try TrustStore(
        Seeds.vectors("master-lists", ["anchor"]).compactMap {
          try? Certificate(der: $0)
        })
      _ = try MasterList(file: rest, path: "", signedBy: anchors, at: time)
    } else {
      // After the signature.
      let (certificates, unreadable) = try MasterList.certificates(in: rest)
      probe.require(certificates.count * 100 <= rest.count, "a certificate takes its room")
    }
  }
}

/// CMS SignedData (RFC 5652 §5) by the key of a persona.
enum SignedObject {
  private static let persona = Persona.gemalto
  private static let sha256: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0,
  ]
  /// sha256WithRSAEncryption (RFC 8017 §A.2.4).
  static let rsa: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0,
  ]
  /// id-icao-mrtd-security-ldsSecurityObject.
  private static let type: [UInt8] = [0x06, 0x06, 0x67, 0x81, 0x08, 0x01, 0x01, 0x01]

  /// A hash list of two data groups.
  static let hashList = TLV.encode(
    0x30,
    [
      [0x02, 1, 0], sha256,
      TLV.encode(
        0x30,
        [1, 14].map { number in
          TLV.encode(
            0x30, [[0x02, 1, number], TLV.encode(0x04, [UInt8](repeating: number, count: 32))])
        }),
    ])

  /// The contents of the SET of attributes: content type, signing time and message digest.
  static func attributes(_ digest: [UInt8]) -> [UInt8] {
    func attribute(_ arc: UInt8, _ value: [UInt8]) -> [UInt8] {
      let name: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, arc]
      return TLV.encode(0x30, [name, TLV.encode(0x31, value)])
    }
    return attribute(3, type) + attribute(5, TLV.encode(0x17, [UInt8]("260101000000Z".utf8)))
      + attribute(4, TLV.encode(0x04, digest))
  }

  static func signature(of bytes: [UInt8]) throws -> [UInt8] {
    let hash = try HashAlgorithm.sha256.hash(bytes)
    return try persona.holderKey.sign(TLV.encode(0x30, [sha256, TLV.encode(0x04, hash)]))
  }

  static func make(_ content: [UInt8], attributes given: [UInt8]?) throws -> [UInt8] {
    let attributes = try given ?? self.attributes(HashAlgorithm.sha256.hash(content))
    guard content.count < 50_000, attributes.count < 10_000,
      let fields = try Certificate(der: persona.certificate).encodedFields
    else { throw Unfit() }
    let signature = try signature(of: TLV.encode(0x31, attributes))
    let identifier = TLV.encode(0x30, [fields.issuer, fields.serialNumber])
    let signer = TLV.encode(
      0x30,
      [
        [0x02, 1, 1], identifier, sha256, TLV.encode(0xA0, attributes), rsa,
        TLV.encode(0x04, signature),
      ])
    let signed = TLV.encode(
      0x30,
      [
        [0x02, 1, 3], TLV.encode(0x31, sha256),
        TLV.encode(0x30, [type, TLV.encode(0xA0, TLV.encode(0x04, content))]),
        TLV.encode(0xA0, persona.certificate), TLV.encode(0x31, signer),
      ])
    let name: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    return TLV.encode(0x77, TLV.encode(0x30, [name, TLV.encode(0xA0, signed)]))
  }
}
