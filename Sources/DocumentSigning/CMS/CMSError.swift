public import Primitives

/// The reason why a CMS structure cannot be read or made.
public enum CMSError: Error, Sendable, Equatable {
  /// The system refuses to read or write a file, with `errno`.
  case system(errno: Int32)
  /// Not a regular file.
  case notAFile
  /// The bytes are not a SignedData (RFC 5652 §5.1); with the part that does not fit.
  case malformed(Part)
  /// A ContentInfo of another type than SignedData; its object identifier, dotted.
  case otherType(String)
  /// Bytes follow the ContentInfo: this many.
  case trailingBytes(count: Int)
  /// The structure around the contents is larger than the limit, in bytes.
  case tooLarge(limit: Int)
  /// The certificate's key cannot make such a signature.
  case unusableCertificate
  /// The contents changed between the preparation and the end of a signature.
  case contentsChanged
  /// The signature does not verify with the certificate.
  case signatureFalse
  /// Another signer can be added only to contents that are inside or given.
  case noContents
  /// OpenSSL refused an operation.
  case crypto(CryptoError)

  /// Parts of a SignedData.
  public enum Part: Sendable, Equatable {
    /// The nesting of the objects, or an object's length.
    case encoding
    /// ContentInfo (RFC 5652 §3).
    case contentInfo
    /// A version number that is none of RFC 5652 §5.1 or §5.3 for these contents.
    case version
    /// The digest algorithms (RFC 5652 §5.1), among which every signer's must be.
    case digestAlgorithms
    /// EncapsulatedContentInfo (RFC 5652 §5.2).
    case contents
    /// CertificateSet (RFC 5652 §10.2.3).
    case certificates
    /// RevocationInfoChoices (RFC 5652 §10.2.1).
    case revocation
    /// SignerInfo (RFC 5652 §5.3).
    case signer
    /// The signed attributes (RFC 5652 §5.3, §11).
    case attributes
  }
}
