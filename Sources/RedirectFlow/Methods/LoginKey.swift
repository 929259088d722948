public import CIECard

/// What a login takes from the card: who signs, and signatures that are already checked against the certificate.
public protocol LoginKey {
  /// The holder's certificate.
  var certificate: Certificate { get }

  /// Signs a digest with the holder's key.
  ///
  /// - Throws: `CardError` when the card does not sign, or signs wrongly.
  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion
}
