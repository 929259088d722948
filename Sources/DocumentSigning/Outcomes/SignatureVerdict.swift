public import CIECard
public import Primitives

/// Verdict on one thing to be proved of a signature.
public enum SignatureVerdict: Sendable, Equatable {
  /// Checked, and it holds.
  case proved
  /// Checked, and it does not hold.
  case `false`(Falsehood)
  /// It could not be checked.
  case couldNotCheck(Obstacle)

  /// The reason why a point does not hold.
  public enum Falsehood: Sendable, Equatable {
    /// There are no signed attributes, and the contents could be such of another signature (RFC 5652 §5.3, §14).
    case noSignedAttributes
    case malformedAttributes
    /// A required attribute is absent; dotted.
    case attributeMissing(String)
    /// An attribute that occurs once with one value does not; dotted.
    case attributeRepeated(String)
    /// The signed type of the contents is another one.
    case contentTypeDiffers
    /// The algorithms beside the signature are not those of the signed attribute CMSAlgorithmProtection (RFC 6211 §2).
    case algorithmsDiffer
    /// The contents were changed after signing.
    case contentsAltered
    /// The contents inside are not those of the file that was given beside it.
    case otherContents
    /// The signature was not made with the signer's key over these attributes.
    case signatureWrong
    /// The signed attributes name another certificate.
    case otherCertificate
    /// The certificate with the issuer's name did not sign the signer's one.
    case notIssued
    /// A PDF's signature does not cover what it has to.
    case coverage(CoverageFault)
    /// The signature in a PDF is no SignedData.
    case malformedSignature
    case malformedTimeStamp
    /// The time stamp is of other bytes.
    case otherImprint
    /// The issuer revoked a certificate on the path, before the time at which the signer claims to have signed.
    case revoked(at: UTCTime)
    /// Something of what an archive time stamp covers was taken away or changed.
    case archiveAltered
  }

  /// The reason why a point could not be checked.
  public enum Obstacle: Sendable, Equatable {
    /// The contents are not in the file, and were not given.
    case noContents
    case noCertificate
    /// The signer named no certificate among the signed attributes.
    case notStated
    /// The program does not support the algorithm; dotted, or empty when it cannot be read.
    case unsupportedAlgorithm(String)
    /// SHA-1 or weaker.
    case weakAlgorithm
    /// The algorithms that the signature names do not fit each other, or the key.
    case algorithmsDisagree
    /// A rule of X.509 forbids the path; with OpenSSL's reason.
    case chainRefused(reason: String)
    /// The certificate's key is not for signing.
    case notASigner
    /// The certificate's key is not for time stamps, or for other things as well (RFC 3161 §2.3).
    case notATimeStamper
    /// The signature claims the time inside as well, which a PDF does not allow (EN 319 142-1 §6.3).
    case timeInside
    /// A PDF's signature has another number of signers than one, as PoDoFo's have, or contents inside.
    case notDetached
    /// Other bytes than zeros and line ends follow the SignedData in a PDF's Contents.
    case bytesBehind
    /// The issuer revoked a certificate on the path, and nothing proves that the signature is older or newer: the signer's,
    /// or that of an authority.
    case revokedSince(UTCTime, isAuthority: Bool)
    /// A key on the path is too short: RSA below 2048 bits, a curve below 224 (NIST SP 800-131A §3).
    case weakKey(Certificate.DistinguishedName)
    /// signingTime has a form that RFC 5652 §11.3 forbids.
    case malformedTime
    /// The signature is of a DigestInfo without the NULL that RFC 8017 §9.2 demands.
    case digestInfo
    /// The time that is stated lies ahead.
    case claimsFuture
    /// The time that is stated lies outside of these, between which the signer's certificate is valid.
    case claimsOtherTime(from: UTCTime, to: UTCTime)
    /// The program does not support this kind of signature in a PDF; its SubFilter.
    case unsupportedFormat(String)
    /// The private key of a certificate can be computed from the public one (ROCA, CVE-2017-15361).
    case recoverableKey
    case noTrustStore
    /// Neither the trusted certificates nor those of the file have the issuer; with the territories of the trusted
    /// lists that do not have it either.
    case issuerUnknown(Certificate.DistinguishedName, lists: [String])
    /// A certificate beside the signature was changed, or nothing that is known issued it.
    case strayCertificate
    /// Evidence of revocations in the file was changed, or is about no certificate that is known.
    case strayEvidence
    /// A CRL in the file has only the changes since another one (RFC 5280 §5.2.4).
    case deltaList
    /// A CRL in the file has entries of other issuers (RFC 5280 §5.2.5).
    case indirectList
    /// A CRL in the file is for some reasons of revocation or for attribute certificates (RFC 5280 §5.2.5).
    case partialList
    /// A CRL in the file has a critical extension that is not known, or one that is malformed (RFC 5280 §5.2).
    case unknownListExtension
    /// An attribute beside the signature is of a type that is not judged; dotted.
    case unknownAttribute(String)
    /// A trusted list has the issuer, with a service that was not allowed to issue this at the time in question: its name, the
    /// list's territory, the status as the list has it, and its beginning.
    case serviceNotGranted(name: String, list: String, status: String, since: UTCTime)
    /// The same, with a service whose first state is later.
    case serviceNotListedYet(name: String, list: String, since: UTCTime)
    /// The same, with a service about which the list says something critical that is not known.
    case serviceUnclear(name: String, list: String)
    /// The index of trusted services is damaged, or has too many services of one name.
    case servicesUnreadable
    /// There is no path whose validity could be checked.
    case noChain
    /// A certificate on the path expired before the time of judging; without a proved time, when it
    /// was signed is the signer's word.
    case expired(notAfter: UTCTime)
    /// A certificate on the path begins after the time of judging.
    case notYetValid(notBefore: UTCTime)
    /// The clock is wrong: the time of judging is before the issue of a certificate that exists.
    case clockEarly(issued: UTCTime)
    /// No issuer's word about this certificate could be had for the time of judging.
    case revocationUnknown(Certificate.DistinguishedName)
    /// Another point already does not hold, on which this one rests.
    case notReached
    case noMemory
  }
}

/// Ways in which the byte range of a PDF's signature is wrong (ISO 32000-2 §12.8.1).
public enum CoverageFault: Sendable, Equatable {
  /// ByteRange is absent or not two ranges in order inside the file.
  case ranges
  /// The first range does not begin with the file.
  case beginning
  /// The gap is not exactly the hexadecimal string of this signature.
  case gap
  /// The covered bytes alone are no PDF with this signature.
  case revision
}

extension SignatureVerdict.Obstacle {
  init(_ limit: RevocationList.Limit) {
    self =
      switch limit {
      case .delta: .deltaList
      case .indirect: .indirectList
      case .partial: .partialList
      case .unknownExtension: .unknownListExtension
      }
  }
}
