extension AuthenticityReport {
  /// One thing that was to be proved, and what came of it.
  public struct Point: Sendable, Equatable {
    /// What was to be proved.
    public let kind: Kind
    /// What came of it.
    public let verdict: Verdict
    /// What is to be said of it although it is proved.
    public let remark: Remark?

    init(kind: Kind, verdict: Verdict, remark: Remark? = nil) {
      self.kind = kind
      self.verdict = verdict
      self.remark = verdict == .proved ? remark : nil
    }
  }

  /// What is to be said of a point although it is proved.
  public enum Remark: Sendable, Equatable {
    /// SHA-1 takes part, the way genuine cards of 2016 to 2020 have it.
    case sha1
  }

  /// What is to be proved of a card.
  public enum Kind: Sendable, Hashable {
    /// The security object's contents are as its embedded signer signed them.
    case signature
    /// A CSCA of the trust store issued that signer's certificate.
    case signerChain
    /// The signer's certificate is one for documents of this type.
    case signerDocumentType
    /// The certificates on that path are valid at the time of judging.
    case signerValidity
    /// Those certificates were valid when the travel document was issued: on the day that DG12 tells, else at
    /// the time that the signer tells.
    case signerValidityAtIssue
    /// A file of the IAS application has the hash that the security object lists for it.
    case hash(IASDataGroup)
    /// The chip holds the private key that belongs to EF.Servizi_Int.Kpub: it answered a challenge.
    case challenge
    /// A data group of the travel document has the hash that the security object lists for it.
    case dataGroup(DataGroup)
    /// The chip holds the private key of chip authentication, in DG14 or in EF.CardSecurity.
    case chipAuthentication
    /// The chip holds the private key that belongs to DG15: it answered a challenge.
    case activeAuthentication
    /// EF.CardAccess announces the same variants of PACE as the signed copies do, so nobody made the terminal take
    /// a weaker one.
    case announcement
    /// DG1 is that of the document whose machine readable zone opened the chip.
    case openedZone
    /// The CSCA is of the state that issued the document, which DG1 tells; of the Italian Republic where it is a CIE.
    case issuingState
    /// The holder's certificate names the services number and the document number of the card.
    case certificateNames
  }

  /// What came of one point.
  public enum Verdict: Sendable, Equatable {
    /// It was checked and holds.
    case proved
    /// It was checked and does not hold.
    case `false`(Falsehood)
    /// It was checked and does not hold, and that is a fault of genuine cards which the state has published.
    case knownFault(KnownFault)
    /// It was not possible to check.
    case couldNotCheck(Obstacle)
  }

  /// Faults of genuine cards that their state has published in a deviation list (Doc 9303-12 §10).
  public enum KnownFault: Sendable, Equatable {
    /// Cards of 2017 and 2018 whose DG12 is not the signed one (`ProductionFault`).
    case dataGroup12
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
    /// The trust store has the CSCA that is named as the issuer, with the key that is named or where none is, and
    /// that did not sign the signer's certificate.
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
    /// The chip does not hold the private key of chip authentication.
    case chipKeyWrong
    /// EF.CardAccess and its signed copy announce different variants of PACE.
    case announcementDiffers
    /// DG1 is that of another document than the one whose zone opened the chip.
    case otherZone
    /// The CSCA is that of another state; with the codes of both.
    case otherState(issuing: String, signing: String)
    /// The signer may sign documents of other types only; with these.
    case otherDocumentType([String])
  }

  /// Why something could not be checked.
  public enum Obstacle: Sendable, Equatable {
    /// The file, the challenge or the answer is not there.
    case notRead
    /// The document offers no such proof.
    case notOffered
    /// It was not asked for.
    case notTried
    /// The key that it takes is none that this program can calculate with.
    case unsupportedKey
    /// The card refused with this status word.
    case refused(StatusWord)
    /// The card ended the secure channel over it with this status word, which proves nothing.
    case channelEnded(StatusWord)
    /// The reader does not carry commands as long as it takes.
    case lengthNotCarried
    /// It holds with a key of which nothing proves that the state signed it.
    case keyNotProved
    /// Nothing signed says it a second time.
    case noCopy
    /// Neither DG12 nor the signer tells when the document was issued.
    case noDateOfIssue
    /// The certificate does not say.
    case notStated
    /// The certificate names other numbers than the card, and no published rule makes that impossible.
    case namesDiffer
    /// SHA-1, in a shape that no genuine card is known to have.
    case weakAlgorithm
    /// A state or country whose code is not known here.
    case stateUnknown(String)
    /// No trust store was given.
    case noTrustStore
    /// The trust store has no certificate with the name of the signer's issuer.
    case issuerUnknown(Certificate.DistinguishedName)
    /// The trust store has certificates with that name, but not with the key that the signer's certificate names: it
    /// may be older than the document.
    case issuerKeyUnknown(Certificate.DistinguishedName)
    /// Without a usable security object there is nothing to compare with.
    case noSecurityObject
    /// The hash function or the signature algorithm is not known here; the object identifier, dotted.
    case unsupportedAlgorithm(String)
    /// No chain was built whose validity could be looked at.
    case noChain
    /// A certificate on the way ended before the time of judging. The security object
    /// carries no proof of when it was signed.
    case expired(notAfter: UTCTime)
    /// A certificate on the way begins after the time of judging.
    case notYetValid(notBefore: UTCTime)
    /// The challenge is shorter than eight bytes: an answer could come from a collection.
    case challengeTooShort
  }
}
