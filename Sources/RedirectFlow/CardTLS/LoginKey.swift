package import CIECard

/// The card's part in a login: the certificate, and signatures that are already checked against it.
package protocol LoginKey {
  var certificate: Certificate { get }

  /// Signs a digest with the holder's key.
  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion
}

/// The key of a card whose PIN is verified. It lives as long as the login and closes the card with it.
package final class CardLoginKey<Channel: CardChannel & ~Copyable>: LoginKey {
  package let certificate: Certificate
  private var card: VerifiedCard<Channel>

  package init(_ card: consuming VerifiedCard<Channel>) throws(CardError) {
    certificate = try card.readCertificate()
    self.card = card
  }

  /// Signs with key 81 and checks the signature.
  package func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    try card.sign(digest)
  }
}
