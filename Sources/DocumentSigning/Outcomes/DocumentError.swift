public import CIECard
public import Primitives

/// The reason why a file is not read, judged or signed.
public enum DocumentError: Error, Sendable, Equatable {
  /// The system refuses to read or write a file, with `errno`.
  case system(errno: Int32)
  /// Not a regular file.
  case notAFile
  /// No bytes.
  case empty
  /// More bytes than the limit in a part that is held in memory.
  case tooLarge(limit: Int)
  /// More signed files inside each other than the limit.
  case tooDeep(limit: Int)
  /// A PDF whose parts, once inflated, take more memory than the limit.
  case expands(limit: Int)
  /// More signatures than the limit.
  case tooManySignatures(limit: Int)
  case unsupported(Container)

  /// The bytes are not a SignedData (RFC 5652 §5.1); with the part that does not fit.
  case malformed(Part)
  /// A ContentInfo of another type than SignedData; its object identifier, dotted.
  case otherType(String)
  /// Bytes follow the ContentInfo: this many.
  case trailingBytes(count: Int)
  /// The certificate's key cannot make such a signature.
  case unusableCertificate
  /// The contents changed between the preparation and the end of a signature.
  case contentsChanged
  /// The signature does not verify with the certificate.
  case signatureFalse
  /// Another signer can be added only to contents that are inside or given.
  case noContents

  /// A PDF cannot be read without guessing; with qpdf's words. An update of such a file is wrong.
  case damaged(reason: String)
  case needsPassword
  /// A PDF is encrypted with another password than this one.
  case wrongPassword
  case refused(Refusal)

  case timeStamp(TimeStampError)
  /// No signature can get a time stamp: all have one, or there is none.
  case nothingToStamp
  case revocation(RevocationError)
  case crypto(CryptoError)

  /// Parts of a SignedData.
  public typealias Part = SignedDataPart

  /// Kinds of files with signatures or time stamps that are not supported.
  public enum Container: Sendable, Equatable {
    /// A ZIP file, with its media type if it states one: ASiC (EN 319 162-1).
    case zip(mediaType: String?)
    /// TimeStampedData (`.tsd`, RFC 5544): a file with its time stamps.
    case timeStampedData
    /// TimeStampResp without a time stamp: a refusal (RFC 3161 §2.4.2).
    case timeStamp
    /// A MIME message of several parts: a signature beside its text, or (`.m7m`) a signed file with
    /// its time stamp.
    case multipart
    /// Several signed files between lines of PEM: none of them is the whole.
    case blocks
    /// XML, which may be signed as XAdES.
    case xml
    /// A web page, as a server answers in place of a file.
    case page
    /// A PDF in an encryption that qpdf does not know, such as one for certificates (ISO 32000-2 §7.6.5).
    case encryptedPDF
  }

  /// Reasons in a PDF's contents for which it is not signed.
  public enum Refusal: Sendable, Equatable {
    /// Bytes precede the header, so offsets are ambiguous.
    case junkBeforeHeader
    /// Its owner allows those who have the user's password neither to fill in forms nor to annotate
    /// (P; ISO 32000-2 table 22).
    case permissions
    /// Its form is XFA, which readers show instead of what is signed.
    case xfa
    /// Its author certified it and allows no changes (DocMDP with P 1; ISO 32000-2 §12.8.2.2).
    case certified
    /// Usage rights (UR3; ISO 32000-2 §12.8.2.3) would be void after any change.
    case usageRights
    /// An earlier signature locked this field (FieldMDP; ISO 32000-2 §12.8.2.4), or all of them.
    case locked(field: String)
    /// No empty signature field has this name.
    case noSuchField(String)
    /// It has several empty signature fields; one must be named.
    case severalFields([String])
    /// The signature field's seed value (ISO 32000-2 §12.7.5.5) requires what this signature is not;
    /// with the key.
    case seedValue(key: String)
    /// The field demands that signing locks fields (Lock; ISO 32000-2 §12.7.5.5), which this version
    /// does not do.
    case lockDemanded(field: String)
    /// The visible mark is to be on a page that the document does not have.
    case noSuchPage(Int)
    /// The font of a visible mark lacks these characters of the name, the reason or the location.
    case textInMark(String)
    /// The signature field of a visible mark is hidden, or without a place.
    case hiddenField(String)
    /// The document claims PDF/A-1, which forbids transparency in a mark, or a later part without naming the
    /// colours of its output.
    case transparencyInPDFA
    /// Its structure is legal, but not supported; with the part.
    case structure(String)
    /// The signature does not fit into its room, in bytes.
    case room(needed: Int, given: Int)
  }
}

/// The reason why there is no time stamp.
public enum TimeStampError: Sendable, Equatable {
  /// The authority gave no answer, for the reason that the caller stated.
  case unreachable(Diagnosis)
  /// It refused; PKIStatus, with its own words and the names of its reasons (PKIFreeText, PKIFailureInfo; RFC 3161
  /// §2.4.2).
  case refused(status: Int, words: [String], reasons: [String])
  /// The answer is a web page, such as that of a login.
  case page
  /// The answer is no TimeStampResp.
  case malformed
  /// The answer belongs to another request.
  case otherAnswer
  /// The token is not proved; the verdict on its first point that is not.
  case notProved(SignatureVerdict)
}

/// The reason why it is not known whether a certificate was revoked.
public enum RevocationError: Sendable, Equatable {
  /// A service gave no answer, for the reason that the caller stated.
  case unreachable(Diagnosis)
  /// The issuer is neither known nor at the address in the certificate.
  case issuerUnknown(Certificate.DistinguishedName)
  /// The certificate has no valid path to an anchor.
  case noPath(Certificate.DistinguishedName)
  /// The certificate names neither a responder nor a CRL.
  case noAddress(Certificate.DistinguishedName)
  /// No answer about this certificate is the issuer's, of this request and of now.
  case noAnswer(Certificate.DistinguishedName)
  /// The issuer revoked the certificate.
  case revoked(Certificate.DistinguishedName, at: UTCTime)
}
