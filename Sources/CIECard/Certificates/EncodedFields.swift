/// Fields of a certificate in their encoded form, for programs that look certificates up by them.
package struct EncodedFields: Sendable, Equatable {
  /// CertificateSerialNumber, an INTEGER.
  package let serialNumber: [UInt8]
  package let issuer: [UInt8]
  package let subject: [UInt8]
  package let publicKeyInfo: [UInt8]

  /// Parses TBSCertificate (RFC 5280 §4.1): version, serial number, algorithm, issuer, validity,
  /// subject, key.
  init(_ der: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(der)
    var certificate = try outer.next(DER.sequence).contents
    var fields = try certificate.next(DER.sequence).contents
    var number = try fields.next()
    if number.tag == Self.version { number = try fields.next() }
    serialNumber = [UInt8](number.encoded)
    _ = try fields.next(DER.sequence)
    issuer = [UInt8](try fields.next(DER.sequence).encoded)
    _ = try fields.next(DER.sequence)
    subject = [UInt8](try fields.next(DER.sequence).encoded)
    publicKeyInfo = [UInt8](try fields.next(DER.sequence).encoded)
  }

  /// [0], absent in version 1.
  private static let version: UInt32 = 0xA0
}

extension Certificate {
  /// The encoded fields; `nil` for another structure, which a parsed certificate cannot have.
  package var encodedFields: EncodedFields? { try? EncodedFields(der) }
}
