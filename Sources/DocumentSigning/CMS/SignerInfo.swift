internal import CIECard
internal import Primitives

/// A signer of a document: its certificate, and what stands beside its signature.
extension SignerInfo {
  /// The first time stamp token beside the signature (RFC 3161 appendix A).
  var timeStamp: [UInt8]? { values(of: CMSObject.timeStampToken).first }
  /// The first time stamp, and those that archive it.
  var timeStamps: [[UInt8]] {
    [timeStamp].compactMap { $0 } + values(of: CMSObject.archiveTimeStamp)
  }

  /// One that was made here.
  init(made encoded: [UInt8]) throws(DocumentError) {
    self = try mapError(try SignerInfo(encoded)) { (_: TLVError) in
      DocumentError.malformed(.signer)
    }
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
    return try SignerInfo(made: TLV.encode(DER.sequence, own + TLV.encode(0xA1, unsigned)))
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
