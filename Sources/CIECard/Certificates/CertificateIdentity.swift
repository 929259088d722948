internal import COpenSSL

/// The identity of a holder as a trusted list has it: name and key, or the key alone (ETSI TS 119 612 §5.5.3).
extension Certificate {
  /// A number that is equal for names that are equal by RFC 5280 §7.1, whatever their types of text and letters.
  package var subjectHash: UInt32 {
    defer { CryptoError.clearQueue() }
    return UInt32(truncatingIfNeeded: X509_subject_name_hash(handle.pointer))
  }

  /// The same number of the issuer's name.
  package var issuerHash: UInt32 {
    defer { CryptoError.clearQueue() }
    return UInt32(truncatingIfNeeded: X509_issuer_name_hash(handle.pointer))
  }

  /// SHA-1 of the certified key (method 1 of RFC 5280 §4.2.1.2), 20 bytes, whatever identifier the certificate states;
  /// nil without SHA-1.
  package var keyDigest: [UInt8]? {
    defer { CryptoError.clearQueue() }
    var digest = [UInt8](repeating: 0, count: HashAlgorithm.sha1.length)
    guard X509_pubkey_digest(handle.pointer, EVP_sha1(), &digest, nil) == 1 else { return nil }
    return digest
  }

  /// True if name and key are those of the other certificate.
  package func isOfSameHolder(as other: Certificate) -> Bool {
    defer { CryptoError.clearQueue() }
    return X509_NAME_cmp(
      X509_get_subject_name(handle.pointer), X509_get_subject_name(other.handle.pointer)) == 0
      && encodedFields?.publicKeyInfo == other.encodedFields?.publicKeyInfo
  }
}
