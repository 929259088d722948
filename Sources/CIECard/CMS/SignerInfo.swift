/// A SignerInfo (RFC 5652 §5.3), taken apart.
package struct SignerInfo: Sendable {
  package let encoded: [UInt8]
  /// CMSVersion, content octets.
  let version: [UInt8]
  /// SignerIdentifier: the issuer's name and the serial number, or subjectKeyIdentifier ([0]).
  package let identifier: TLV
  /// The encoding of the digest algorithm.
  package let digestAlgorithm: [UInt8]
  /// The contents of the signed attributes' SET; nil without them.
  package let signedAttributes: [UInt8]?
  /// The encoding of the signature algorithm.
  package let signatureAlgorithm: [UInt8]
  package let signature: [UInt8]
  package let unsignedAttributes: [CMSAttribute]

  package init(_ encoded: [UInt8]) throws(TLVError) {
    self.encoded = encoded
    var outer = TLVCursor(encoded)
    var fields = try outer.next(DER.sequence).contents
    version = try fields.next(DER.integer).bytes
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
  }

  /// True if the version is the one for this kind of identifier.
  package var hasRequiredVersion: Bool {
    version.withoutLeadingZeros == [identifier.tag == 0x80 ? 3 : 1]
  }
}

/// An attribute (RFC 5652 §5.3).
package struct CMSAttribute: Sendable {
  package let encoded: [UInt8]
  /// The type, content octets.
  package let type: [UInt8]
  package let values: [TLV]

  package init(_ attribute: TLV) throws(TLVError) {
    guard attribute.tag == DER.sequence else { throw .invalidTag }
    encoded = [UInt8](attribute.encoded)
    var fields = attribute.contents
    type = try fields.next(DER.objectIdentifier).bytes
    values = try fields.next(DER.set).contents.all()
    try fields.finish()
  }
}
