public import CIECard

/// The judgement of one signature of a document, point by point.
public struct SignatureReport: Sendable, Equatable {
  /// The signer's certificate; nil if the file has none for it.
  public let signer: Certificate?
  /// Time at which the signer claims to have signed; nil if it is not stated.
  public let claimedTime: UTCTime?
  /// True if a time stamp stands beside the signature.
  public let hasTimeStamp: Bool
  /// True for a time stamp that is no signature: of a whole PDF, or a file (.tsr).
  public var isTimeStamp = false
  /// Time at which the signature existed, by a time stamp that is proved; nil without one.
  public var stampedTime: UTCTime?
  /// True if the certified key may be used for nonRepudiation. That of a login certificate may not, so checkers
  /// for qualified signatures refuse it.
  public let commits: Bool
  /// The points in the order of `Kind`.
  public private(set) var points: [Point]
  /// The bytes of a PDF that the signature covers, counted from its beginning; nil for other files,
  /// whose contents it covers as a whole.
  public let signedLength: Int?
  /// Number of bytes that came after the signature was made; zero for files other than PDF.
  public let laterBytes: Int
  /// The content of these bytes.
  public var laterContent = LaterContent.none

  /// The verdict on a point; nil if it is not judged.
  public subscript(kind: Kind) -> Verdict? { points.first { $0.kind == kind }?.verdict }

  mutating func leaveOut(_ kinds: Set<Kind>) { points.removeAll { kinds.contains($0.kind) } }

  /// True if every judged point holds, whatever came later.
  var isProved: Bool { points.allSatisfy { $0.verdict == .proved } }

  /// The outcome as a whole.
  public var outcome: Outcome {
    if points.contains(where: { if case .false = $0.verdict { true } else { false } }) {
      return .false
    }
    guard Kind.allCases.allSatisfy({ self[$0] == nil || self[$0] == .proved }) else {
      return .couldNotCheck
    }
    return laterContent == .other ? .provedForItsRevision(laterBytes: laterBytes) : .proved
  }

  /// Outcomes of a signature.
  public enum Outcome: Sendable, Equatable {
    /// Every point was checked and holds.
    case proved
    /// Every point holds for the signed bytes, but this many came later, and not only further signatures and what proves
    /// them.
    case provedForItsRevision(laterBytes: Int)
    /// At least one point was checked and does not hold.
    case `false`
    /// Nothing is false, but a point could not be checked.
    case couldNotCheck
  }

  /// One thing to be proved, with its verdict.
  public struct Point: Sendable, Equatable {
    /// The thing to be proved.
    public let kind: Kind
    /// The verdict.
    public let verdict: Verdict
  }

  /// The things to be proved of a signature.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The signature covers a PDF from its beginning, but for its own place (PDF only).
    case coverage
    /// The signed attributes are complete, single and consistent.
    case attributes
    /// The contents are those that were signed.
    case contents
    /// The signature was made with the key of the signer's certificate.
    case signature
    /// The signer named this certificate among the signed attributes.
    case signingCertificate
    /// The certificate may sign, and a trusted one issued it.
    case chain
    /// The certificates on that path are valid at the time of a proved time stamp, else of judging.
    case validity
    /// No certificate on the path was revoked at that time; only judged if there is evidence, or if it was asked for.
    case revocation
    /// The time stamp beside the signature is of this signature and by a trusted authority; only judged if authorities
    /// were given, or if something beside the signature is damaged.
    case timeStamp
  }

  /// Verdict on one point.
  public enum Verdict: Sendable, Equatable {
    /// Checked, and it holds.
    case proved
    /// Checked, and it does not hold.
    case `false`(Falsehood)
    /// It could not be checked.
    case couldNotCheck(Obstacle)
  }

  /// The reason why a point does not hold.
  public enum Falsehood: Sendable, Equatable {
    /// There are no signed attributes: bytes that were signed as such could pass as contents.
    case noSignedAttributes
    /// The signed attributes cannot be read.
    case malformedAttributes
    /// A required attribute is absent; dotted.
    case attributeMissing(String)
    /// An attribute that occurs once with one value does not; dotted.
    case attributeRepeated(String)
    /// The signed type of the contents is another one.
    case contentTypeDiffers
    /// The algorithms beside the signature are not the signed ones.
    case algorithmsDiffer
    /// The contents were changed after signing.
    case contentsAltered
    /// The signature was not made with the signer's key over these attributes.
    case signatureWrong
    /// The signed attributes name another certificate.
    case otherCertificate
    /// The certificate with the issuer's name did not sign the signer's one.
    case notIssued
    /// A rule of X.509 forbids the path; with OpenSSL's reason.
    case chainRefused(reason: String)
    /// The certificate's key is not for signing.
    case notASigner
    /// A PDF's signature does not cover what it has to.
    case coverage(CoverageFault)
    /// The signature in a PDF is no SignedData.
    case malformedSignature(CMSError)
    /// A PDF's signature has another number of signers than one, or contents inside.
    case notDetached
    /// The time stamp cannot be read.
    case malformedTimeStamp
    /// The time stamp is of other bytes.
    case otherImprint
    /// The certificate's key is not for time stamps, or for other things as well (RFC 3161 §2.3).
    case notATimeStamper
    /// The issuer revoked a certificate on the path.
    case revoked(at: UTCTime)
    /// Something of what an archive time stamp covers was taken away or changed.
    case archiveAltered
    /// The signature claims the time inside as well, which a PDF does not allow (EN 319 142-1 §6.3).
    case timeInside
  }

  /// The reason why a point could not be checked.
  public enum Obstacle: Sendable, Equatable {
    /// The contents are not in the file, and were not given.
    case noContents
    /// The file does not contain the signer's certificate.
    case noCertificate
    /// The signer named no certificate among the signed attributes.
    case notStated
    /// The program does not support the algorithm; dotted, or empty when it cannot be read.
    case unsupportedAlgorithm(String)
    /// SHA-1 or weaker.
    case weakAlgorithm
    /// The program does not support this kind of signature in a PDF; its SubFilter.
    case unsupportedFormat(String)
    /// The private key of a certificate can be computed from the public one (ROCA, CVE-2017-15361).
    case recoverableKey
    /// No trusted certificates were given.
    case noTrustStore
    /// Neither the trusted certificates nor those of the file have the issuer.
    case issuerUnknown(Certificate.DistinguishedName)
    /// A certificate beside the signature was changed, or nothing that is known issued it.
    case strayCertificate
    /// Evidence of revocations in the file was changed, or is about no certificate that is known.
    case strayEvidence
    /// An attribute beside the signature is of a type that is not judged; dotted.
    case unknownAttribute(String)
    /// There is no path whose validity could be checked.
    case noChain
    /// A certificate on the path expired before the time of judging; without a proved time, when it
    /// was signed is the signer's word.
    case expired(notAfter: UTCTime)
    /// A certificate on the path begins after the time of judging.
    case notYetValid(notBefore: UTCTime)
    /// No issuer's word about this certificate could be had for the time of judging.
    case revocationUnknown(Certificate.DistinguishedName)
    /// Another point already does not hold, on which this one rests.
    case notReached
    /// OpenSSL ran out of memory.
    case noMemory
  }
}
