internal import COpenSSL

/// Parts of a document signer's certificate that Doc 9303-12 §7.1 wants otherwise.
extension X509Handle {
  /// True unless it is of version 3.
  var hasOddVersion: Bool { X509_get_version(pointer) != 2 }

  /// True if its key usage, which is critical, is that of a document signer: digitalSignature, and no other.
  var hasSignerUsage: Bool {
    let place = X509_get_ext_by_NID(pointer, NID_key_usage, -1)
    return X509_get_key_usage(pointer) == UInt32(KU_DIGITAL_SIGNATURE)
      && X509_EXTENSION_get_critical(X509_get_ext(pointer, place)) == 1
  }

  /// True if a time before 2050 is a GeneralizedTime instead of a UTCTime (RFC 5280 §4.1.2.5).
  var hasOddTimes: Bool {
    [X509_get0_notBefore(pointer), X509_get0_notAfter(pointer)].contains { time in
      guard let time, ASN1_STRING_type(time) == V_ASN1_GENERALIZEDTIME else { return false }
      return X509Value.time(time).map { $0 < Self.firstGeneralizedTime } ?? false
    }
  }

  /// 2050-01-01.
  private static let firstGeneralizedTime: UTCTime = 2_524_608_000
}
