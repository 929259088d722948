internal import CIECard
internal import Primitives

/// A SignerInfo (RFC 5652 §5.3), taken apart.
struct SignerInfo {
  /// The whole encoding.
  let encoded: [UInt8]
  let version: Int
  let identifier: Identifier
  /// The encoding of the digest algorithm.
  let digestAlgorithm: [UInt8]
  /// The contents of the signed attributes' SET; nil without them.
  let signedAttributes: [UInt8]?
  /// The encoding of the signature algorithm.
  let signatureAlgorithm: [UInt8]
  let signature: [UInt8]
  /// The unsigned attributes, in order.
  let unsignedAttributes: [UnsignedAttribute]
  /// The first time stamp token beside the signature (RFC 3161 appendix A).
  var timeStamp: [UInt8]? { values(of: CMSObject.timeStampToken).first }

  /// An attribute beside the signature.
  struct UnsignedAttribute {
    /// The whole encoding.
    let encoded: [UInt8]
    /// The type, content octets.
    let type: [UInt8]
    /// The encodings of the values, in order.
    let values: [[UInt8]]

    init(_ attribute: TLV) throws(TLVError) {
      guard attribute.tag == DER.sequence else { throw .invalidTag }
      encoded = [UInt8](attribute.encoded)
      var fields = attribute.contents
      type = try fields.next(DER.objectIdentifier).bytes
      values = try fields.next(DER.set).contents.all().map { [UInt8]($0.encoded) }
    }
  }

  /// SignerIdentifier.
  enum Identifier: Equatable {
    /// The encodings of the issuer's name and of the serial number.
    case issuerAndSerial(issuer: [UInt8], serial: [UInt8])
    /// subjectKeyIdentifier.
    case key([UInt8])
  }

  /// - Throws: `CMSError.malformed`; also if the version does not fit the identifier.
  init(_ encoded: [UInt8]) throws(CMSError) {
    do throws(TLVError) {
      var outer = TLVCursor(encoded)
      var fields = try outer.next(DER.sequence).contents
      version = try fields.nextNumber()
      identifier = try Self.identifier(fields.next())
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
      unsignedAttributes = try unsigned.map { (field) throws(TLVError) in
        try UnsignedAttribute(field)
      }
    } catch {
      throw .malformed(.signer)
    }
    self.encoded = encoded
    let expected = if case .key = identifier { 3 } else { 1 }
    guard version == expected else { throw .malformed(.version) }
  }

  private static func identifier(_ field: TLV) throws(TLVError) -> Identifier {
    if field.tag == 0x80 { return .key(field.bytes) }
    guard field.tag == DER.sequence else { throw .invalidTag }
    var parts = field.contents
    let issuer = [UInt8](try parts.next(DER.sequence).encoded)
    let serial = [UInt8](try parts.next(DER.integer).encoded)
    try parts.finish()
    return .issuerAndSerial(issuer: issuer, serial: serial)
  }

  /// The values of the unsigned attributes of a type, in order.
  func values(of type: [UInt8]) -> [[UInt8]] {
    unsignedAttributes.filter { $0.type == type }.flatMap { $0.values }
  }

  /// The encodings of the fields that the signer made: all but the unsigned attributes.
  func signedFields() throws(TLVError) -> [UInt8] {
    var outer = TLVCursor(encoded)
    return try outer.next(DER.sequence).contents.all().filter { $0.tag != 0xA1 }
      .flatMap { [UInt8]($0.encoded) }
  }

  /// The same SignerInfo with one more unsigned attribute.
  ///
  /// - Throws: `CMSError.malformed`.
  func adding(_ type: [UInt8], _ value: [UInt8]) throws(CMSError) -> SignerInfo {
    let attribute = TLV.encode(
      DER.sequence, [TLV.encode(DER.objectIdentifier, type), TLV.encode(DER.set, value)])
    let own = try CMSError.parsing(.signer, signedFields)
    let unsigned = TLV.ordered(unsignedAttributes.map { $0.encoded } + [attribute])
    return try SignerInfo(TLV.encode(DER.sequence, own + TLV.encode(0xA1, unsigned)))
  }

  /// The certificate that the identifier names.
  func certificate(among certificates: [Certificate]) -> Certificate? {
    certificates.first { certificate in
      switch identifier {
      case .issuerAndSerial(let issuer, let serial):
        guard let fields = certificate.encodedFields else { return false }
        return fields.issuer == issuer && fields.serialNumber == serial
      case .key(let identifier): return certificate.keyIdentifier == identifier
      }
    }
  }

  /// The bytes that the signature may cover: the attributes as a SET OF in DER order (RFC 5652 §5.4), or in their own
  /// order, which old programs signed.
  func signedEncodings() -> [[UInt8]] {
    guard let signedAttributes else { return [] }
    let own = TLV.encode(DER.set, signedAttributes)
    guard let parts = try? TLVCursor(signedAttributes).all().map({ [UInt8]($0.encoded) }) else {
      return [own]
    }
    let sorted = TLV.encode(DER.set, TLV.ordered(parts))
    return sorted == own ? [own] : [sorted, own]
  }
}
