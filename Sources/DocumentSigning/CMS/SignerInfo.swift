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
  /// The encodings of the unsigned attributes, in order.
  private let unsignedAttributes: [[UInt8]]
  /// The first time stamp token beside the signature (RFC 3161 appendix A).
  let timeStamp: [UInt8]?

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
      unsignedAttributes = unsigned.map { [UInt8]($0.encoded) }
      timeStamp = try Self.timeStamp(among: unsigned)
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

  private static func timeStamp(among attributes: [TLV]) throws(TLVError) -> [UInt8]? {
    for attribute in attributes {
      guard attribute.tag == DER.sequence else { throw .invalidTag }
      var fields = attribute.contents
      guard try fields.next(DER.objectIdentifier).bytes == CMSObject.timeStampToken else {
        continue
      }
      return try fields.next(DER.set).contents.all().first.map { [UInt8]($0.encoded) }
    }
    return nil
  }

  /// The same SignerInfo with a time stamp token among its unsigned attributes.
  ///
  /// - Throws: `CMSError.malformed`.
  func stamped(with token: [UInt8]) throws(CMSError) -> SignerInfo {
    let attribute = TLV.encode(
      DER.sequence,
      [
        TLV.encode(DER.objectIdentifier, CMSObject.timeStampToken), TLV.encode(DER.set, token),
      ])
    do throws(TLVError) {
      var outer = TLVCursor(encoded)
      let fields = try outer.next(DER.sequence).contents.all()
      let own = fields.filter { $0.tag != 0xA1 }.flatMap { [UInt8]($0.encoded) }
      let unsigned = TLV.encode(0xA1, TLV.ordered(unsignedAttributes + [attribute]))
      let stamped = TLV.encode(DER.sequence, own + unsigned)
      do throws(CMSError) { return try SignerInfo(stamped) } catch { throw TLVError.invalidTag }
    } catch { throw .malformed(.signer) }
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
