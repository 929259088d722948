/// Parts of a SignedData, the structure of signed files (RFC 5652 §5.1).
public enum SignedDataPart: Sendable, Equatable {
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

  /// The name in RFC 5652, for people.
  var name: String {
    switch self {
    case .encoding: "encoding"
    case .contentInfo: "ContentInfo"
    case .version: "version"
    case .digestAlgorithms: "digestAlgorithms"
    case .contents: "encapContentInfo"
    case .certificates: "certificates"
    case .revocation: "crls"
    case .signer: "SignerInfo"
    case .attributes: "attributes"
    }
  }
}
