internal import COpenSSL

/// Statements of a certificate about its quality and uses, for rules about qualified certificates.
package struct CertificateStatements: Sendable, Equatable {
  /// Dotted identifiers of the qualified certificate statements (RFC 3739 §3.2.6, ETSI EN 319 412-5 §4).
  package private(set) var statements: Set<String> = []
  /// Dotted identifiers of the types in QcType (EN 319 412-5 §4.2.3).
  package private(set) var types: Set<String> = []
  /// Dotted identifiers of the policies (RFC 5280 §4.2.1.4).
  package private(set) var policies: Set<String> = []
  /// Dotted identifiers of extended key usages (RFC 5280 §4.2.1.12).
  package private(set) var extendedKeyUsages: Set<String> = []
  /// The bits of keyUsage that are set, by their numbers in RFC 5280 §4.2.1.3; empty without the extension.
  package private(set) var keyUsage: Set<Int> = []
  /// Dotted identifiers of the attributes of the subject.
  package let subjectAttributes: Set<String>

  /// - Returns: nil if one of these extensions is malformed: nothing can be concluded then.
  init?(of certificate: Certificate) {
    let handle = certificate.handle
    subjectAttributes = Set(certificate.subject.attributes.map(\.oid))
    guard let purposes = X509Chain.purposes(handle) else { return nil }
    extendedKeyUsages = Set(purposes)
    do throws(TLVError) {
      if let encoded = handle.extension("1.3.6.1.5.5.7.1.3") {
        for (name, rest) in try Self.members(encoded) {
          statements.insert(name)
          guard name == Self.types else { continue }
          for type in try TLVCursor(inside: DER.sequence, of: rest).all() {
            types.insert(try Self.dotted(type))
          }
        }
      }
      if let encoded = handle.extension("2.5.29.32") {
        policies = Set(try Self.members(encoded).map { $0.name })
      }
      if let encoded = handle.extension("2.5.29.15") {
        var outer = TLVCursor(encoded)
        let bits = try outer.next(DER.bitString).bytes.dropFirst()
        for (place, byte) in bits.enumerated() {
          for bit in 0..<8 where byte & (0x80 >> bit) != 0 { keyUsage.insert(8 * place + bit) }
        }
      }
    } catch { return nil }
  }

  /// id-etsi-qcs-QcType.
  private static let types = "0.4.0.1862.1.6"

  /// The members of a SEQUENCE OF SEQUENCE that begin with an object identifier, with the encodings behind it.
  private static func members(
    _ encoded: [UInt8]
  ) throws(TLVError) -> [(name: String, rest: [UInt8])] {
    try TLVCursor(inside: DER.sequence, of: encoded).all().map { (member) throws(TLVError) in
      var fields = try TLVCursor(inside: DER.sequence, of: [UInt8](member.encoded))
      let name = try Self.dotted(fields.next())
      return (name, try fields.all().flatMap { $0.encoded })
    }
  }

  private static func dotted(_ object: TLV) throws(TLVError) -> String {
    defer { CryptoError.clearQueue() }
    guard object.tag == DER.objectIdentifier,
      let (parsed, _) = parsedPrefix(of: [UInt8](object.encoded), by: d2i_ASN1_OBJECT)
    else { throw .unexpectedTag(found: object.tag, expected: DER.objectIdentifier) }
    defer { ASN1_OBJECT_free(parsed) }
    return X509Value.dotted(parsed)
  }
}

extension Certificate {
  /// Nil if an extension about them is malformed.
  package var ownStatements: CertificateStatements? { CertificateStatements(of: self) }
}
