/// What the card states: this digest was signed by the key of this certificate.
///
/// It exists only after the signature was checked against the certificate.
public struct SignedAssertion: Sendable, Equatable {
  /// Who signed: the holder's certificate as read from the card.
  public let certificate: Certificate
  /// What was signed.
  public let digest: Digest
  /// RSA PKCS#1 v1.5 (RFC 8017 §8.2), big-endian, 256 bytes.
  public let signature: [UInt8]

  /// - Returns: `nil` when the signature does not fit.
  init?(certificate: Certificate, digest: Digest, signature: [UInt8]) {
    guard
      certificate.verify(
        signature: signature, digest: digest.bytes, algorithm: digest.algorithm.hash)
    else { return nil }
    self.certificate = certificate
    self.digest = digest
    self.signature = signature
  }
}
