internal import CIECard
internal import Primitives

/// A SignerInfo (RFC 5652 §5.3), taken apart.
struct SignerInfo {
  let encoded: [UInt8]
  let version: Int
  /// SignerIdentifier: the issuer's name and the serial number, or subjectKeyIdentifier ([0]).
  private let identifier: TLV
  /// The encoding of the digest algorithm.
  let digestAlgorithm: [UInt8]
  /// The contents of the signed attributes' SET; nil without them.
  let signedAttributes: [UInt8]?
  /// The encoding of the signature algorithm.
  let signatureAlgorithm: [UInt8]
  let signature: [UInt8]
  let unsignedAttributes: [CMSAttribute]
  /// The first time stamp token beside the signature (RFC 3161 appendix A).
  var timeStamp: [UInt8]? { values(of: CMSObject.timeStampToken).first }
  /// The first time stamp, and those that archive it.
  var timeStamps: [[UInt8]] {
    [timeStamp].compactMap { $0 } + values(of: CMSObject.archiveTimeStamp)
  }

  init(_ encoded: [UInt8]) throws(DocumentError) {
    do throws(TLVError) {
      var outer = TLVCursor(encoded)
      var fields = try outer.next(DER.sequence).contents
      version = try fields.nextNumber()
      identifier = try fields.next()
      guard [0x80, DER.sequence].contains(identifier.tag) else { throw .invalidTag }
      digestAlgorithm = [UInt8](try fields.next(DER.sequence).encoded)
      var field = try fields.next()
      if field.tag == 0xA0 {
        signedAttributes = field.bytes
        field = try fields.next()
      } else {
        signedAttributes = nil
      }
      guard field.tag == DER.sequence else { throw .invalidTag }
      signatureAlgorithm = [UInt8](field.encoded)
      signature = try fields.next(DER.octetString).bytes
      let unsigned = fields.isAtEnd ? [] : try fields.next(0xA1).contents.all()
      try fields.finish()
      unsignedAttributes = try unsigned.map(CMSAttribute.init)
    } catch {
      throw .malformed(.signer)
    }
    self.encoded = encoded
    guard version == (identifier.tag == 0x80 ? 3 : 1) else { throw .malformed(.version) }
  }

  /// The values of the unsigned attributes of a type, in order.
  func values(of type: [UInt8]) -> [[UInt8]] {
    unsignedAttributes.filter { $0.type == type }.flatMap { $0.values }.map { [UInt8]($0.encoded) }
  }

  /// The encodings of the fields that the signer made: all but the unsigned attributes.
  func signedFields() throws(DocumentError) -> [UInt8] {
    var outer = TLVCursor(encoded)
    let fields = try mapError(try outer.next(DER.sequence).contents.all()) { (_: TLVError) in
      DocumentError.malformed(.signer)
    }
    return fields.filter { $0.tag != 0xA1 }.flatMap { [UInt8]($0.encoded) }
  }

  /// The same SignerInfo with one more unsigned attribute.
  func adding(_ type: [UInt8], _ value: [UInt8]) throws(DocumentError) -> SignerInfo {
    let unsigned = TLV.ordered(
      unsignedAttributes.map { $0.encoded } + [CMSObject.attribute(type, value)])
    let own = try signedFields()
    return try SignerInfo(TLV.encode(DER.sequence, own + TLV.encode(0xA1, unsigned)))
  }

  func certificate(among certificates: [Certificate]) -> Certificate? {
    certificates.first { certificate in
      guard identifier.tag != 0x80 else { return certificate.keyIdentifier == identifier.bytes }
      return certificate.encodedFields.map { $0.issuer + $0.serialNumber } == identifier.bytes
    }
  }

  /// The bytes that the signature may cover: the attributes as a SET OF in DER order (RFC 5652 §5.4), or in their own
  /// order, which old programs signed.
  func signedEncodings() -> [[UInt8]] {
    guard let signedAttributes else { return [] }
    let own = TLV.encode(DER.set, signedAttributes)
    guard let parts = try? TLVCursor(signedAttributes).all() else { return [own] }
    let sorted = TLV.encode(DER.set, TLV.ordered(parts.map { [UInt8]($0.encoded) }))
    return sorted == own ? [own] : [sorted, own]
  }
}

/// An attribute (RFC 5652 §5.3).
struct CMSAttribute {
  let encoded: [UInt8]
  /// The type, content octets.
  let type: [UInt8]
  let values: [TLV]

  init(_ attribute: TLV) throws(TLVError) {
    guard attribute.tag == DER.sequence else { throw .invalidTag }
    encoded = [UInt8](attribute.encoded)
    var fields = attribute.contents
    type = try fields.next(DER.objectIdentifier).bytes
    values = try fields.next(DER.set).contents.all()
    try fields.finish()
  }
}
