/// Oddities that prove nothing against a document, because states have issued such ones; of several, the report has the first.
extension SecurityObject {
  /// The remark on the signature.
  var remark: AuthenticityReport.Remark? {
    if usesSHA1 { return .sha1 }
    if signed.hasOddVersion { return .oddVersion }
    guard let signingTime, !signer.isValid(at: signingTime) else { return nil }
    return .oddDates
  }
}

extension Certificate {
  /// The remark on the path from this signer.
  func remark(on chain: TrustStore.Chain?) -> AuthenticityReport.Remark? {
    if isSignedWithSHA1 { return .sha1 }
    if handle.statedUse != .digitalSignature { return .oddKeyUsage }
    guard case .path(let path) = chain, let issuer = path.dropFirst().first else { return nil }
    return issuer.notBefore <= notBefore && notAfter <= issuer.notAfter ? nil : .oddDates
  }
}

extension CMSSignedData {
  /// True unless SignedData has version 3, as contents of another type than data and certificates of X.509 require
  /// (RFC 5652 §5.1), and SignerInfo 1 for an issuer with a serial number, 3 for a key identifier (§5.3).
  ///
  /// - Parameter encoded: ContentInfo; false for one that is not DER.
  static func hasOddVersion(_ encoded: [UInt8]) -> Bool {
    do throws(TLVError) {
      var outer = try TLVCursor(inside: DER.sequence, of: encoded)
      _ = try outer.next(DER.objectIdentifier)
      var content = try outer.next(0xA0).contents
      var fields = try content.next(DER.sequence).contents
      guard try fields.next(DER.integer).bytes == [3] else { return true }
      var signers = try fields.all().last?.contents
      var signer = try signers?.next(DER.sequence).contents
      let version = try signer?.next(DER.integer).bytes
      let identifier = try signer?.next().tag
      return version != (identifier == DER.sequence ? [1] : [3])
    } catch { return false }
  }
}
