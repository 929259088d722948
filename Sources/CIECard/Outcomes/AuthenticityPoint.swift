extension AuthenticityReport {
  /// One thing to be proved, with its verdict.
  public struct Point: Sendable, Equatable {
    /// The thing to be proved.
    public let kind: Kind
    /// The verdict.
    public let verdict: Verdict
    /// A remark although it is proved.
    public let remark: Remark?

    init(kind: Kind, verdict: Verdict, remark: Remark? = nil) {
      self.kind = kind
      self.verdict = verdict
      self.remark = verdict == .proved ? remark : nil
    }
  }

  /// Remarks on points that are proved.
  public enum Remark: Sendable, Equatable {
    /// SHA-1 is used, as in genuine cards of 2016 to 2020.
    case sha1
    /// Check digits of the machine readable zone are wrong (Doc 9303-3 §4.9).
    case checkDigits
    /// The machine readable zone has a document code, a nationality or an empty name that Doc 9303 does not allow.
    case oddZone
    /// The headers around the portrait are not those of Doc 9303-10 §4.7.2 and ISO/IEC 19794-5.
    case oddPortrait
    /// A version number that Doc 9303 does not have: of the CMS structure or its SignerInfo (Doc 9303-10 §4.6.2.2, RFC 5652
    /// §5.3), the list of hashes (§4.6.2.3), the signer's certificate (Doc 9303-12 §7.1), or chip authentication in DG14.
    case oddVersion
    /// The security object lists other hash functions than that of its signer (RFC 5652 §5.1).
    case oddAlgorithms
    /// The security object names another certificate than the one that it contains (RFC 5652 §5.3).
    case oddSigner
    /// The key usage of the signer's certificate is absent, not critical, or not digitalSignature alone (Doc 9303-12 §7.1).
    case oddKeyUsage
    /// The signer's certificate does not name the key of its issuer (Doc 9303-12 §7.1).
    case oddKeyIdentifier
    /// The signer states a time at which its certificate was not valid, that certificate outlives that of its issuer, or it
    /// has a GeneralizedTime before 2050 (RFC 5280 §4.1.2.5).
    case oddDates
  }

  /// The things to be proved of a card.
  public enum Kind: Sendable, Hashable {
    /// The security object's contents match the signature of its embedded signer.
    case signature
    /// A CSCA of the trust store issued that signer's certificate.
    case signerChain
    /// The signer's certificate is for documents of this type.
    case signerDocumentType
    /// The certificates on that path are valid at the time of judging.
    case signerValidity
    /// Those certificates were valid when the travel document was issued: on the day stated in
    /// DG12, otherwise at the signing time claimed by the signer.
    case signerValidityAtIssue
    /// A file of the IAS application has the hash that the security object lists for it.
    case hash(IASDataGroup)
    /// The chip holds the private key of EF.Servizi_Int.Kpub: it answered a challenge.
    case challenge
    /// A data group of the travel document has the hash that the security object lists for it.
    case dataGroup(DataGroup)
    /// The chip holds the private key of chip authentication, in DG14 or in EF.CardSecurity.
    case chipAuthentication
    /// The chip holds the private key of DG15: it answered a challenge.
    case activeAuthentication
    /// EF.CardAccess announces the same variants of PACE as the signed copies do, so the terminal
    /// was not downgraded to a weaker one.
    case announcement
    /// DG1 belongs to the document whose machine readable zone opened the chip.
    case openedZone
    /// The CSCA belongs to the state that issued the document by DG1; for a CIE, to the Italian
    /// Republic.
    case issuingState
    /// The holder's certificate names the services number and the document number of the card.
    case certificateNames
    /// Evidence answers the receiver's challenge.
    case receiversChallenge
    /// Evidence was made for this receiver.
    case audience
    /// Evidence is not older than the receiver allows, nor of the future.
    case age
    /// Both sides in evidence were on one card, which only the terminal has seen.
    case sameCard
    /// The holder's key signed the evidence, after the PIN, with a certificate whose hash the State signed.
    case holder
    /// A terminal that the receiver trusts signed the evidence.
    case terminal
    /// Evidence of a side of the card that the receiver requires is there; its own report judges it.
    case requiredSide(Side)
  }

  /// Verdict on one point.
  public enum Verdict: Sendable, Equatable {
    /// Checked, and it holds.
    case proved
    case `false`(Falsehood)
    /// Checked, and it does not hold because of a fault of genuine cards that the state has
    /// published.
    case knownFault(KnownFault)
    case couldNotCheck(Obstacle)
  }

  /// Faults of genuine cards that their state has published in a deviation list (Doc 9303-12 §10).
  public enum KnownFault: Sendable, Equatable {
    /// Cards of 2017 and 2018 whose DG12 does not match the signed hash (`ProductionFault`).
    case dataGroup12
  }

  /// The reason why a point does not hold.
  public enum Falsehood: Sendable, Equatable {
    /// The security object cannot have been issued by a state.
    case malformedSecurityObject(SecurityObjectError)
    /// A file does not have the specified form.
    case malformedFile
    /// The signed contents were changed after signing.
    case contentsAltered
    case signatureWrong
    /// The trust store has the named issuer, with the named key if one is named, but that key did
    /// not sign the signer's certificate.
    case notIssuedByTrustStore
    /// A rule of X.509 forbids the path from the signer to the anchor; with OpenSSL's reason.
    case chainRefused(reason: String)
    /// The certificate's key is not for signing data.
    case notASigner
    /// The hash of the file does not match the signed one.
    case hashDiffers
    /// The security object has no hash of the file.
    case notListed
    /// The response was not made with the private key for this challenge.
    case answerWrong
    /// The chip does not hold the private key of chip authentication.
    case chipKeyWrong
    /// EF.CardAccess and its signed copy announce different variants of PACE.
    case announcementDiffers
    /// DG1 belongs to another document than the one whose zone opened the chip.
    case otherZone
    /// The CSCA belongs to another state; with the codes of both.
    case otherState(issuing: String, signing: String)
    /// The zone of a CIE names another issuing state than Italy; with its code.
    case zoneOfOtherState(String)
    /// The signer may sign documents of other types only, namely these.
    case otherDocumentType([String])
    /// The evidence answers another challenge.
    case otherChallenge
    /// The evidence was made for another receiver, or for none by name.
    case otherAudience(String?)
    /// The evidence has the signature of another terminal.
    case otherTerminal
  }

  /// The reason why a point could not be checked.
  public enum Obstacle: Sendable, Equatable {
    /// The file, the challenge or the response is missing.
    case notRead
    /// The document offers no such proof.
    case notOffered
    /// The proof was not requested.
    case notTried
    /// The program does not support the key.
    case unsupportedKey
    case refused(StatusWord)
    /// The card ended the secure channel over it with this status word, which proves nothing.
    case channelEnded(StatusWord)
    /// The reader does not carry commands of the necessary length.
    case lengthNotCarried
    /// It holds with a key that is not proved to be signed by the state.
    case keyNotProved
    /// The machine readable zone that it would be judged from does not match the signed hash.
    case zoneNotProved
    /// It holds with a key whose private half can be computed from the public one (ROCA,
    /// CVE-2017-15361).
    case recoverableKey
    /// There is no signed copy to compare with.
    case noCopy
    /// Neither DG12 nor the signer states the date of issue.
    case noDateOfIssue
    /// The certificate does not state it.
    case notStated
    /// The certificate names other numbers than the card, which no published rule excludes.
    case namesDiffer
    /// SHA-1, in a combination that no genuine card is known to have.
    case weakAlgorithm
    /// SHA-1 in a signature scheme with which no genuine card is known to have it; with its name.
    case weakScheme(String)
    /// The code of the state or country is unknown.
    case stateUnknown(String)
    case noTrustStore
    /// The trust store has no certificate with the name of the signer's issuer.
    case issuerUnknown(Certificate.DistinguishedName)
    /// The trust store has certificates with that name, but not with the key named in the signer's
    /// certificate: it may be older than the document.
    case issuerKeyUnknown(Certificate.DistinguishedName)
    /// There is no usable security object to compare with.
    case noSecurityObject
    /// The security object does not contain its signer's certificate, and the trust store does not have it.
    case noSignerCertificate
    /// The hash function or the signature algorithm is unknown; the object identifier, dotted.
    case unsupportedAlgorithm(String)
    /// There is no chain whose validity could be checked.
    case noChain
    /// A certificate on the path expired before the time of judging. The security object has no
    /// proof of its signing time.
    case expired(notAfter: UTCTime)
    /// A certificate on the path begins after the time of judging.
    case notYetValid(notBefore: UTCTime)
    /// The clock is wrong: the time of judging is before the issue of a certificate that exists.
    case clockEarly(issued: UTCTime)
    /// The challenge is shorter than eight bytes: a response could come from a collection.
    case challengeTooShort
    /// Out of memory during the calculation.
    case noMemory
    /// A terminal says so, and nothing shows it to others.
    case toldByTerminal
    /// The receiver named no challenge, so the evidence may be of any time.
    case challengeNotNamed
    /// The evidence was made for a receiver of this name, and the judge named none.
    case audienceNotNamed(String)
    /// The evidence is older than the receiver allows, by the terminal's clock; made then.
    case tooOld(made: UTCTime)
    /// The evidence was made after the time of judging: one of the clocks is wrong.
    case ofTheFuture(made: UTCTime)
    /// The evidence has the signature of a terminal, and the judge named none.
    case terminalNotNamed
    /// The evidence has no signature of a terminal, or none of the holder although the receiver requires one.
    case notSigned
    /// The evidence holds nothing of it.
    case notInEvidence
  }
}
