internal import COpenSSL

/// Certificates with an ecdsa-plain-signature (BSI TR-03111 §5.2.1), which OpenSSL does not know.
extension X509Chain {
  /// The hash function of that signature; `nil` for a certificate with another one.
  static func plainHash(of certificate: X509Handle) -> HashAlgorithm? {
    if case .ecdsaPlain(let hash)? = signature(of: certificate).scheme { hash } else { nil }
  }

  static func isPlainSigned(
    _ certificate: X509Handle, _ hash: HashAlgorithm, by issuer: X509Handle
  ) -> Bool {
    let information = X509Value.der {
      i2d_X509_PUBKEY(X509_get_X509_PUBKEY(issuer.pointer), $0)
    }
    guard let key = SubjectPublicKey(information), let parts = try? signedParts(of: certificate),
      let digest = try? hash.hash(parts.message)
    else { return false }
    return key.verifyPlainECDSA(parts.signature, digest: digest)
  }

  /// TBSCertificate and the signature (RFC 5280 §4.1).
  private static func signedParts(
    of certificate: X509Handle
  ) throws(TLVError) -> (message: [UInt8], signature: [UInt8]) {
    var fields = try TLVCursor(
      inside: DER.sequence, of: X509Handle.encoding(of: certificate.pointer))
    let message = [UInt8](try fields.next(DER.sequence).encoded)
    _ = try fields.next(DER.sequence)
    return (message, try fields.nextWholeBits())
  }
}
