/// Fields of a certificate in the bytes in which it has them: for programs that look certificates up by these.
package struct EncodedFields: Sendable, Equatable {
  /// CertificateSerialNumber, an INTEGER.
  package let serialNumber: [UInt8]
  /// The name of who signed it.
  package let issuer: [UInt8]
  /// The holder's name.
  package let subject: [UInt8]
  /// SubjectPublicKeyInfo.
  package let publicKeyInfo: [UInt8]

  /// Takes apart TBSCertificate (RFC 5280 §4.1): version, serial number, algorithm, issuer, validity, subject, key.
  fileprivate init(_ der: [UInt8]) throws(TLVError) {
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

  /// [0], which version 1 leaves out.
  private static let version: UInt32 = 0xA0
}

extension Certificate {
  /// The encoded fields; `nil` where there is no such structure, which cannot be in what was parsed.
  package var encodedFields: EncodedFields? { try? EncodedFields(der) }
}
