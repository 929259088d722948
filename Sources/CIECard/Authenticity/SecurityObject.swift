/// A document security object (EF.SOD): hashes of the card's files, signed by the issuing state.
///
/// The same structure serves the IAS application of a CIE (file 1006, chip specification annex A) and the eMRTD
/// (Doc 9303-10 §4.6.2): `77 L` around a CMS SignedData with one signer and contents of type
/// id-icao-ldsSecurityObject.
///
/// Successful parsing proves nothing. `signed.signature` is the result of verifying the contents with the
/// signer's key; a `TrustStore` judges the signer.
package struct SecurityObject: Sendable {
  let contents: LDSSecurityObject
  /// The structure around the contents, with the result of verifying them with the signer's key.
  let signed: SignedContents

  /// The document signer's certificate, as embedded in the file; if there is none, a known one.
  package var signer: Certificate? { signed.signer }
  /// The signing time claimed by the signer (signingTime, RFC 5652 §11.3).
  package var signingTime: UTCTime? { signed.attributes?.signingTime }

  /// id-icao-ldsSecurityObject (Doc 9303-10 §4.6.2.3).
  static let contentType = "2.23.136.1.1.1"
  /// This type, and those of the first German and Dutch electronic passports.
  private static let contentTypes = [contentType, "1.3.27.1.1.1", "1.2.528.1.1006.1.20.1"]
  /// The tag around the CMS structure (Doc 9303-10 §4.6.2).
  static let tag: UInt32 = 0x77

  /// Parses the object at the start of the file; bytes after it are padding and are dropped.
  ///
  /// - Parameters:
  ///   - file: the whole file.
  ///   - store: has the signer's certificate, perhaps, if the file does not (Doc 9303-10 §4.6.2.2).
  package init(
    file: [UInt8], knowing store: TrustStore? = nil
  ) throws(AuthenticityReport.SecurityObjectError) {
    var cursor = TLVCursor(file)
    let encoded = try mapError(try cursor.next(Self.tag).bytes) { (_: TLVError) in
      AuthenticityReport.SecurityObjectError.notASecurityObject
    }
    signed = try SignedContents(encoded) { store?.certificate(named: $0) }
    guard Self.contentTypes.contains(signed.contentType) else {
      throw .contentType(signed.contentType)
    }
    contents = try LDSSecurityObject(signed.content)
  }
}

/// Oddities that prove nothing against a document, because states have issued such ones; of several, the report has the first.
extension SecurityObject {
  /// The remark on the signature.
  var remark: AuthenticityReport.Remark? {
    if usesSHA1 { return .sha1 }
    if contents.hasOddVersion { return .oddVersion }
    if let remark = signed.remark { return remark }
    guard let signingTime, let signer, !signer.isValid(at: signingTime) else { return nil }
    return .oddDates
  }
}

extension Certificate {
  /// The remark on the path from this signer.
  func remark(on chain: TrustStore.Chain?) -> AuthenticityReport.Remark? {
    if isSignedWithSHA1 { return .sha1 }
    if handle.hasOddVersion { return .oddVersion }
    if !handle.hasSignerUsage { return .oddKeyUsage }
    if issuerKeyIdentifier == nil { return .oddKeyIdentifier }
    if handle.hasOddTimes { return .oddDates }
    guard case .path(let path) = chain, let issuer = path.dropFirst().first else { return nil }
    return issuer.notBefore <= notBefore && notAfter <= issuer.notAfter ? nil : .oddDates
  }
}
