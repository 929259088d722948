extension AuthenticityReport {
  /// One thing that was to be proved, and what came of it.
  public struct Point: Sendable, Equatable {
    /// What was to be proved.
    public let kind: Kind
    /// What came of it.
    public let verdict: Verdict
  }

  /// What is to be proved of a card.
  public enum Kind: Sendable, Hashable {
    /// The security object's contents are as its embedded signer signed them.
    case signature
    /// A CSCA of the trust store issued that signer's certificate.
    case signerChain
    /// The certificates on that way are in force at the time of judging.
    case signerValidity
    /// A file has the hash that the security object lists for it.
    case hash(IASDataGroup)
    /// The chip holds the private key that belongs to EF.Servizi_Int.Kpub: it answered a challenge.
    case challenge
  }

  /// What came of one point.
  public enum Verdict: Sendable, Equatable {
    /// It was checked and holds.
    case proved
    /// It was checked and does not hold.
    case `false`(Falsehood)
    /// It was not possible to check.
    case couldNotCheck(Obstacle)
  }

  /// Why something does not hold.
  public enum Falsehood: Sendable, Equatable {
    /// The security object cannot be one that a state issued.
    case malformedSecurityObject(SecurityObjectError)
    /// A file is not of the form that its specification gives.
    case malformedFile
    /// The signed contents were changed after signing.
    case contentsAltered
    /// The signature value is not the signer's.
    case signatureWrong
    /// The trust store has the CSCA that is named as the issuer, and none of its keys signed the signer's
    /// certificate.
    case notIssuedByTrustStore
    /// A rule of X.509 forbids the way from the signer to the anchor; with OpenSSL's words.
    case chainRefused(reason: String)
    /// The certificate's key is not one for signing data.
    case notASigner
    /// The file has another hash than the signed one.
    case hashDiffers
    /// The security object has no hash of the file.
    case notListed
    /// The answer to the challenge was not made with the private key for this challenge.
    case answerWrong
  }

  /// Why something could not be checked.
  public enum Obstacle: Sendable, Equatable {
    /// The file, the challenge or the answer is not there.
    case notRead
    /// No trust store was given.
    case noTrustStore
    /// The trust store has no certificate with the name of the signer's issuer.
    case issuerUnknown(DistinguishedName)
    /// Without a usable security object there is nothing to compare with.
    case noSecurityObject
    /// The hash function or the signature algorithm is not known here; the object identifier, dotted.
    case unsupportedAlgorithm(String)
    /// No chain was built whose validity could be looked at.
    case noChain
    /// A certificate on the way ended before the time of judging: seconds since 1970-01-01T00:00:00Z. The
    /// security object carries no proof of when it was signed.
    case expired(notAfter: Int64)
    /// A certificate on the way begins after the time of judging.
    case notYetValid(notBefore: Int64)
    /// The challenge is shorter than eight bytes: an answer could come from a collection.
    case challengeTooShort
  }
}
