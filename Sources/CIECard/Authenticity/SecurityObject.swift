/// A document security object (EF.SOD): hashes of the card's files, signed by the issuing state.
///
/// The same structure serves the IAS application of a CIE (file 1006, chip specification annex A) and the eMRTD
/// (Doc 9303-10 §4.6.2): `77 L` around a CMS SignedData with one signer and contents of type
/// id-icao-ldsSecurityObject.
///
/// Successful parsing proves nothing. `signature` is the result of verifying the contents with the
/// embedded signer's key; a `TrustStore` judges the signer.
package struct SecurityObject: Sendable {
  package let contents: LDSSecurityObject
  /// The document signer's certificate, as embedded in the file.
  package let signer: Certificate
  /// The hash function of the messageDigest attribute; `nil` if documents do not use it.
  package let digestAlgorithm: HashAlgorithm?
  /// The signature algorithm: its object identifier, dotted.
  package let signatureAlgorithm: String
  /// The signature algorithm, if documents may use it.
  let scheme: SignatureAlgorithm?
  /// The signing time claimed by the signer (signingTime, RFC 5652 §11.3): seconds since
  /// 1970-01-01T00:00:00Z.
  package let signingTime: UTCTime?
  /// Result of verifying these contents with the embedded signer's key.
  package let signature: Signature

  /// Results of the verification with the embedded signer's key (RFC 5652 §5.4, §5.6).
  package enum Signature: Sendable, Equatable {
    /// The contents are what the signer signed.
    case valid
    /// The contents do not have the signed hash, or the signed type.
    case contentsAltered
    case wrong
    /// Documents may not use the hash function or signature algorithm, or the program does not
    /// support the key.
    case unsupported
  }

  /// id-icao-ldsSecurityObject (Doc 9303-10 §4.6.2.3).
  static let contentType = "2.23.136.1.1.1"
  /// This type, and those of the first German and Dutch electronic passports.
  private static let contentTypes = [contentType, "1.3.27.1.1.1", "1.2.528.1.1006.1.20.1"]
  /// The tag around the CMS structure (Doc 9303-10 §4.6.2).
  static let tag: UInt32 = 0x77

  /// Parses the object at the start of the file; bytes after it are padding and are dropped.
  ///
  /// - Throws: `AuthenticityReport.SecurityObjectError`.
  package init(file: [UInt8]) throws(AuthenticityReport.SecurityObjectError) {
    var cursor = TLVCursor(file)
    let encoded = try mapError(try cursor.next(Self.tag).bytes) { (_: TLVError) in
      AuthenticityReport.SecurityObjectError.notASecurityObject
    }
    let signed = try CMSSignedData(securityObject: encoded)
    guard Self.contentTypes.contains(signed.contentType) else {
      throw .contentType(signed.contentType)
    }
    contents = try LDSSecurityObject(signed.content)
    signer = try signed.signer()
    signingTime = signed.attributes?.signingTime
    digestAlgorithm = HashAlgorithm(objectIdentifier: signed.digestAlgorithm)
    signatureAlgorithm = signed.signatureAlgorithm
    scheme = signed.scheme
    signature = Signature(of: signed)
  }
}

extension SecurityObject.Signature {
  /// Combines the results for signed attributes and signature value.
  init(of signed: CMSSignedData) {
    guard let digest = HashAlgorithm(objectIdentifier: signed.digestAlgorithm) else {
      self = .unsupported
      return
    }
    if let attributes = signed.attributes {
      let hash = try? digest.hash(signed.content)
      guard hash == attributes.messageDigest, attributes.contentType == signed.contentType else {
        self = .contentsAltered
        return
      }
    }
    self =
      switch signed.signature {
      case .valid: .valid
      case .wrong: .wrong
      case .unsupported: .unsupported
      }
  }
}

extension CMSSignedData {
  /// Parses the CMS structure of a security object.
  init(securityObject encoded: [UInt8]) throws(AuthenticityReport.SecurityObjectError) {
    do { try self.init(encoded) } catch { throw AuthenticityReport.SecurityObjectError(error) }
  }

  /// True if SHA-1 is used in the digest of the contents or in the signature.
  var usesSHA1: Bool {
    let digest = HashAlgorithm(objectIdentifier: digestAlgorithm)
    return digest == .sha1 || scheme?.usesSHA1(digest: digest) == true
  }

  func signer() throws(AuthenticityReport.SecurityObjectError) -> Certificate {
    do { return try Certificate(der: signerCertificate) } catch { throw .noSignerCertificate }
  }
}

extension AuthenticityReport.SecurityObjectError {
  fileprivate init(_ failure: CMSSignedData.Failure) {
    self =
      switch failure {
      case .malformed(let reason): .malformedSignedData(reason: reason)
      case .notSignedData: .malformedSignedData(reason: "not SignedData")
      case .noContent: .malformedSignedData(reason: "no contents")
      case .signerCount(let count): .signerCount(count)
      case .noSignerCertificate: .noSignerCertificate
      case .signedAttributes: .signedAttributes
      }
  }
}
