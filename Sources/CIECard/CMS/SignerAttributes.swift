/// The signed attributes of a signer (RFC 5652 §5.3, §11).
struct SignerAttributes: Sendable {
  /// contentType (RFC 5652 §11.1), content octets.
  let contentType: [UInt8]
  /// messageDigest (RFC 5652 §11.2).
  let messageDigest: [UInt8]
  /// signingTime (RFC 5652 §11.3), if present: merely the signer's claim.
  let signingTime: UTCTime?
  /// The bytes that the signature may cover: the attributes as an explicit SET OF instead of the implicit `[0]`, in their
  /// original order, or in that of DER (RFC 5652 §5.4), even if the file has another.
  let messages: [[UInt8]]

  private static let utcTime: UInt32 = 0x17

  /// - Parameter encodings: of each attribute, in DER.
  /// - Throws: `signedAttributes` if one of the two required ones is absent, repeated or has more
  ///   than one value.
  init(_ encodings: [[UInt8]]) throws(AuthenticityReport.SecurityObjectError) {
    let attributes = encodings.compactMap { encoded in
      var cursor = TLVCursor(encoded)
      return try? CMSAttribute(cursor.next())
    }
    /// The value of the only attribute of its type, with a single value.
    func only(_ type: [UInt8], _ tags: UInt32...) -> TLV? {
      let found = attributes.filter { $0.type == type }
      guard found.count == 1, found[0].values.count == 1 else { return nil }
      return found[0].values.first { tags.contains($0.tag) }
    }
    guard attributes.count == encodings.count,
      let type = only(CMSObject.contentType, DER.objectIdentifier),
      let digest = only(CMSObject.messageDigest, DER.octetString),
      encodings.joined().count <= UInt16.max
    else { throw .signedAttributes }
    (contentType, messageDigest) = (type.bytes, digest.bytes)
    signingTime = only(CMSObject.signingTime, Self.utcTime, DER.generalizedTime).flatMap {
      X509Value.time([UInt8]($0.encoded))
    }
    messages = [encodings, TLV.ordered(encodings)].map { TLV.encode(DER.set, $0) }
  }
}
