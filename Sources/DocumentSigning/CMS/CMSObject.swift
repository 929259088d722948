internal import CIECard
internal import Primitives

/// Object identifiers of signatures of files, as content octets, and their algorithms.
extension CMSObject {
  /// id-aa-CMSAlgorithmProtection (RFC 6211 §2).
  static let algorithmProtection = pkcs + [0x09, 0x34]
  /// id-aa-signingCertificate (RFC 2634 §5.4), with SHA-1.
  static let signingCertificate = pkcs + [0x09, 0x10, 0x02, 0x0C]
  /// id-aa-signingCertificateV2 (RFC 5035 §3).
  static let signingCertificateV2 = pkcs + [0x09, 0x10, 0x02, 0x2F]
  /// id-aa-timeStampToken (RFC 3161 appendix A), an unsigned attribute.
  static let timeStampToken = pkcs + [0x09, 0x10, 0x02, 0x0E]
  /// archive-time-stamp-v3 (EN 319 122-1 §5.5.3), an unsigned attribute: 0.4.0.1733.2.4.
  static let archiveTimeStamp: [UInt8] = [0x04, 0x00, 0x8D, 0x45, 0x02, 0x04]
  /// ats-hash-index-v3 (EN 319 122-1 §5.5.2), an unsigned attribute of its token: 0.4.0.19122.1.5.
  static let archiveIndex: [UInt8] = [0x04, 0x00, 0x81, 0x95, 0x32, 0x01, 0x05]
  /// id-ri-ocsp-response (RFC 5940 §2): 1.3.6.1.5.5.7.16.2.
  static let ocspResponse: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x10, 0x02]
  /// id-ct-TSTInfo (RFC 3161 §2.4.2).
  static let timeStampInfo = pkcs + [0x09, 0x10, 0x01, 0x04]
  /// id-ct-timestampedData (RFC 5544 §2).
  static let timeStampedData = pkcs + [0x09, 0x10, 0x01, 0x1F]

  /// AlgorithmIdentifier of SHA-256, without parameters (RFC 5754 §2).
  static let sha256 = TLV.encode(
    DER.sequence, [TLV.encode(DER.objectIdentifier, HashAlgorithm.sha256.objectIdentifier)])
  /// AlgorithmIdentifier of rsaEncryption (RFC 3370 §3.2), which every verifier knows.
  static let rsaEncryption = TLV.encode(
    DER.sequence,
    [
      TLV.encode(DER.objectIdentifier, pkcs + [0x01, 0x01]), TLV.encode(DER.null, [UInt8]()),
    ])

  /// An attribute with one value (RFC 5652 §5.3).
  static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
    TLV.encode(
      DER.sequence, [TLV.encode(DER.objectIdentifier, type), TLV.encode(DER.set, value)])
  }

  /// The hash function of an AlgorithmIdentifier whose parameters are absent or NULL; nil for others.
  static func hash(_ algorithm: [UInt8]) -> HashAlgorithm? {
    identifier(algorithm).flatMap { HashAlgorithm(objectIdentifier: $0) }
  }

  /// True if two AlgorithmIdentifiers name one algorithm: parameters may be NULL or absent, and those of RSASSA-PSS in
  /// their default or left out.
  static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    if one == other { return true }
    if let identifier = identifier(one) { return identifier == self.identifier(other) }
    guard case .pss? = SignatureAlgorithm(algorithmIdentifier: one) else { return false }
    return SignatureAlgorithm(algorithmIdentifier: one)
      == SignatureAlgorithm(algorithmIdentifier: other)
      && SignatureAlgorithm.saltLength(algorithmIdentifier: one)
        == SignatureAlgorithm.saltLength(algorithmIdentifier: other)
  }

  /// The name of an AlgorithmIdentifier for people, with any parameters; empty if it cannot be read.
  static func name(_ algorithm: [UInt8]) -> String {
    ofAlgorithm(algorithm).map { AlgorithmNames.text(dotted($0)) } ?? ""
  }

  /// The object identifier of an AlgorithmIdentifier whose parameters are absent or NULL; nil for
  /// others.
  static func identifier(_ algorithm: [UInt8]) -> [UInt8]? {
    do throws(TLVError) {
      var outer = TLVCursor(algorithm)
      var fields = try outer.next(DER.sequence).contents
      let identifier = try fields.next(DER.objectIdentifier).bytes
      if !fields.isAtEnd {
        guard try fields.next(DER.null).value.isEmpty else { return nil }
      }
      try fields.finish()
      return identifier
    } catch {
      return nil
    }
  }
}
