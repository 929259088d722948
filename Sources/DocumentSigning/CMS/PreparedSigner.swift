internal import CIECard
internal import Primitives

/// A signer whose signature is still missing.
struct PreparedSigner: Sendable {
  private let certificate: Certificate
  /// The hash of the signed attributes, for the card.
  let digest: Digest
  /// The encodings of the signed attributes, in DER order.
  private let attributes: [[UInt8]]
  private let identifier: [UInt8]

  /// Prepares CAdES-B attributes (EN 319 122-1 §6.3) over contents of type data.
  ///
  /// - Parameter time: signingTime, the signer's word; nil in a PDF, which has it elsewhere (EN 319 142-1
  ///   §6.3).
  init(
    _ certificate: Certificate, signing content: Digest, at time: UTCTime?
  ) throws(DocumentError) {
    guard content.algorithm == .sha256, case .rsa = certificate.publicKey,
      let fields = certificate.encodedFields
    else { throw .unusableCertificate }
    let hash = try mapError(
      try HashAlgorithm.sha256.hash(certificate.der), DocumentError.crypto)
    identifier = TLV.encode(DER.sequence, [fields.issuer, fields.serialNumber])
    let name = TLV.encode(DER.sequence, [TLV.encode(0xA4, fields.issuer)])
    let reference = TLV.encode(
      DER.sequence,
      [
        TLV.encode(DER.octetString, hash), TLV.encode(DER.sequence, [name, fields.serialNumber]),
      ])
    var attributes = [
      CMSObject.attribute(
        CMSObject.contentType, TLV.encode(DER.objectIdentifier, CMSObject.data)),
      CMSObject.attribute(CMSObject.messageDigest, TLV.encode(DER.octetString, content.bytes)),
      CMSObject.attribute(
        CMSObject.signingCertificateV2,
        TLV.encode(DER.sequence, [TLV.encode(DER.sequence, reference)])),
      // Without it, another name of the same algorithm could be written beside the signature.
      CMSObject.attribute(
        CMSObject.algorithmProtection,
        TLV.encode(
          DER.sequence,
          [CMSObject.sha256, [0xA1] + CMSObject.rsaEncryption.dropFirst()])),
    ]
    if let time {
      attributes.append(CMSObject.attribute(CMSObject.signingTime, EncodedTime.encode(time)))
    }
    self.attributes = TLV.ordered(attributes)
    self.certificate = certificate
    let encoded = TLV.encode(DER.set, self.attributes)
    digest = try mapError(try Digest(.sha256, hashing: encoded), DocumentError.crypto)
  }

  /// The SignerInfo with this signature.
  ///
  /// - Parameter signature: RSA PKCS#1 v1.5 of `digest`.
  func finish(_ signature: [UInt8]) throws(DocumentError) -> SignerInfo {
    guard certificate.verify(signature: signature, digest: digest.bytes, algorithm: .sha256) else {
      throw .signatureFalse
    }
    return try SignerInfo(made: encoded(signature))
  }

  /// The SignerInfo with zeros for the signature: its length is known before the card signs.
  func unsigned() throws(DocumentError) -> SignerInfo {
    guard case .rsa(let key) = certificate.publicKey else { throw .unusableCertificate }
    return try SignerInfo(made: encoded([UInt8](repeating: 0, count: key.modulus.count)))
  }

  private func encoded(_ signature: [UInt8]) -> [UInt8] {
    TLV.encode(
      DER.sequence,
      [
        TLV.encode(DER.integer, [1]), identifier, CMSObject.sha256,
        TLV.encode(0xA0, attributes), CMSObject.rsaEncryption,
        TLV.encode(DER.octetString, signature),
      ])
  }
}
