internal import CIECard
internal import Primitives

/// The signed attributes of a signer that are judged (RFC 5652 §11, RFC 5035, RFC 6211).
struct SignedAttributes {
  /// contentType, content octets.
  let contentType: [UInt8]
  let messageDigest: [UInt8]
  /// signingTime: merely the signer's word.
  let signingTime: UTCTime?
  /// True if signingTime has a form that RFC 5652 §11.3 forbids, such as an offset or no seconds.
  let hasMalformedTime: Bool
  /// The algorithms of CMSAlgorithmProtection: digest, signature.
  let protectedAlgorithms: (digest: [UInt8], signature: [UInt8])?
  /// The references of signing-certificate-v2 and signing-certificate to the signer's certificate.
  let certificateReferences: [CertificateReference]

  /// The attributes, or the reason why they prove nothing.
  static func read(_ encoded: [UInt8]) -> (attributes: SignedAttributes?, Falsehood?) {
    guard let attributes = try? TLVCursor(encoded).all().map(CMSAttribute.init) else {
      return (nil, .malformedAttributes)
    }
    var values: [[UInt8]: TLV] = [:]
    for attribute in attributes {
      let isRepeated = values[attribute.type] != nil || attribute.values.count != 1
      guard let value = attribute.values.first, !isRepeated || !single.contains(attribute.type)
      else { return (nil, .attributeRepeated(CMSObject.dotted(attribute.type))) }
      values[attribute.type] = value
    }
    let required = [
      (CMSObject.contentType, DER.objectIdentifier), (CMSObject.messageDigest, DER.octetString),
    ]
    for (type, tag) in required {
      guard let value = values[type] else {
        return (nil, .attributeMissing(CMSObject.dotted(type)))
      }
      guard value.tag == tag else { return (nil, .malformedAttributes) }
    }
    guard let read = try? SignedAttributes(values) else { return (nil, .malformedAttributes) }
    return (read, nil)
  }

  typealias Falsehood = SignatureVerdict.Falsehood

  /// - Parameter values: the first of each attribute; the required ones are there.
  private init(_ values: [[UInt8]: TLV]) throws(TLVError) {
    contentType = values[CMSObject.contentType]?.bytes ?? []
    messageDigest = values[CMSObject.messageDigest]?.bytes ?? []
    signingTime = values[CMSObject.signingTime].flatMap { try? EncodedTime.parse($0) }
    hasMalformedTime = signingTime == nil && values[CMSObject.signingTime] != nil
    protectedAlgorithms = try values[CMSObject.algorithmProtection].map(Self.algorithms)
    let types = [
      (CMSObject.signingCertificateV2, HashAlgorithm.sha256),
      (CMSObject.signingCertificate, .sha1),
    ]
    var references: [CertificateReference] = []
    for case (let value?, let implied) in types.map({ (values[$0], $1) }) {
      references.append(try CertificateReference(value, byDefault: implied))
    }
    certificateReferences = references
  }

  /// The attributes that have one value (RFC 5652 §11, RFC 5035 §5, RFC 6211 §2).
  private static let single: Set<[UInt8]> = [
    CMSObject.contentType, CMSObject.messageDigest, CMSObject.signingTime,
    CMSObject.signingCertificate, CMSObject.signingCertificateV2, CMSObject.algorithmProtection,
  ]

  /// `SEQUENCE { digestAlgorithm, [1] signatureAlgorithm }` (RFC 6211 §2).
  private static func algorithms(
    _ value: TLV
  ) throws(TLVError) -> (digest: [UInt8], signature: [UInt8]) {
    guard value.tag == DER.sequence else { throw .invalidTag }
    var fields = value.contents
    let digest = [UInt8](try fields.next(DER.sequence).encoded)
    let signature = TLV.encode(DER.sequence, try fields.next(0xA1).bytes)
    try fields.finish()
    return (digest, signature)
  }
}

/// The first ESSCertID or ESSCertIDv2: the signer's certificate (RFC 5035 §4).
struct CertificateReference {
  /// The hash function; nil for an unknown one.
  let algorithm: HashAlgorithm?
  let hash: [UInt8]
  /// The encoding of the serial number, if the issuer and it are named.
  let serialNumber: [UInt8]?

  init(_ value: TLV, byDefault implied: HashAlgorithm) throws(TLVError) {
    guard value.tag == DER.sequence else { throw .invalidTag }
    var list = value.contents
    var identifiers = try list.next(DER.sequence).contents
    var fields = try identifiers.next(DER.sequence).contents
    var field = try fields.next()
    if field.tag == DER.sequence, implied == .sha256 {
      algorithm = CMSObject.hash([UInt8](field.encoded))
      field = try fields.next()
    } else {
      algorithm = implied
    }
    guard field.tag == DER.octetString else { throw .invalidTag }
    hash = field.bytes
    if fields.isAtEnd {
      serialNumber = nil
    } else {
      var issuer = try fields.next(DER.sequence).contents
      var names = try issuer.next(DER.sequence).contents
      var name = try names.next(0xA4).contents
      _ = try name.next(DER.sequence)
      serialNumber = [UInt8](try issuer.next(DER.integer).encoded)
      try issuer.finish()
    }
    try fields.finish()
  }
}

/// UTCTime and GeneralizedTime in the forms of DER (RFC 5280 §4.1.2.5).
enum EncodedTime {
  private static let utc: UInt32 = 0x17

  static func parse(_ value: TLV) throws(TLVError) -> UTCTime {
    let isShort = value.tag == utc
    guard isShort || value.tag == DER.generalizedTime, value.value.last == UInt8(ascii: "Z") else {
      throw .invalidValue(tag: value.tag)
    }
    // Two digits of the year before 50 are of this century.
    let century = isShort ? (value.value.first ?? 0) < UInt8(ascii: "5") ? "20" : "19" : ""
    guard let seconds = UTCCalendar.seconds(of: century.utf8 + value.value.dropLast()) else {
      throw .invalidValue(tag: value.tag)
    }
    return UTCTime(seconds: seconds)
  }

  /// UTCTime up to 2049, then GeneralizedTime (RFC 5652 §11.3).
  static func encode(_ time: UTCTime) -> [UInt8] {
    let isShort = (1950..<2050).contains(time.date.year)
    let text = UTCCalendar.text(time.seconds, isShort ? "%y%m%d%H%M%SZ" : "%Y%m%d%H%M%SZ")
    return TLV.encode(isShort ? utc : DER.generalizedTime, [UInt8](text.utf8))
  }
}
