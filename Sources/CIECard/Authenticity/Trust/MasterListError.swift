extension TrustStore {
  /// Why a master list is not believed.
  public enum MasterListError: Error, Sendable, Equatable {
    /// Not a CMS SignedData with contents, with the reason: take the file as its publisher has it, unpacked.
    case notSignedData(reason: String)
    /// Signed contents of another type than a master list; the object identifier, dotted.
    case contentType(String)
    /// Not one signer with signed attributes and its certificate.
    case noSigner
    /// The list was changed after signing.
    case contentsAltered
    /// The signature value is not the signer's.
    case signatureWrong
    /// The hash function, the signature algorithm or the signer's curve is not known here; the object identifier
    /// of the signature algorithm, dotted.
    case unsupportedAlgorithm(String)
    /// No anchor has the name and the key of the signer's issuer, whose name comes along: give the CSCA certificate of
    /// that state.
    case signerUnknown(Certificate.DistinguishedName)
    /// Anchors have that name, but none of their keys signed the signer's certificate.
    case notIssued(Certificate.DistinguishedName)
    /// A rule of X.509 forbids the way from the signer to the anchor.
    case chainRefused(reason: String)
    /// The signer's key is not one for master lists (keyUsage, extKeyUsage).
    case notASigner
    /// The signer, which comes along, or a certificate above it is not valid at the time of judging.
    case notValid(Certificate)
    /// The signed contents are no list of version 0.
    case malformedList
    /// No certificate in it that can be read.
    case empty
  }
}
