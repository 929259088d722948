internal import CIECard

/// The mechanisms of the token (PKCS #11 v2.40 mechanisms, §2.1.6 and §2.1.8): only those that a
/// CIE supports.
///
/// Neither CKM_RSA_X_509 nor PSS, because hosts choose from this list, and one entry too many
/// breaks them.
enum SigningMechanism: UInt, CaseIterable {
  /// CKM_RSA_PKCS: any bytes, padded by PKCS#1 v1.5.
  case rsaPKCS = 0x01
  case sha256RSAPKCS = 0x40
  case sha384RSAPKCS = 0x41
  case sha512RSAPKCS = 0x42

  /// The hash function; `nil` if the bytes are signed as they are.
  var digest: Digest.Algorithm? {
    switch self {
    case .rsaPKCS: nil
    case .sha256RSAPKCS: .sha256
    case .sha384RSAPKCS: .sha384
    case .sha512RSAPKCS: .sha512
    }
  }
}
