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
