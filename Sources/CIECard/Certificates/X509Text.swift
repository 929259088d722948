internal import COpenSSL

/// The two printed forms of a certificate.
extension X509Handle {
  /// All fields, for people to read.
  ///
  /// Names keep their UTF-8. What a hostile certificate could use to drive a terminal comes out as `\u{…}`.
  borrowing func text() throws(CryptoError) -> String {
    guard let memory = BIO_new(BIO_s_mem()) else { throw .fromQueue("BIO_new") }
    defer { BIO_free(memory) }
    let names =
      UInt(XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_SPC_EQ | XN_FLAG_FN_SN)
      | UInt(ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | ASN1_STRFLGS_DUMP_UNKNOWN)
    guard X509_print_ex(memory, pointer, names, 0) == 1 else { throw .fromQueue("X509_print_ex") }
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
    let read = BIO_read(memory, &bytes, CInt(bytes.count))
    guard read == CInt(bytes.count) else { throw .fromQueue("BIO_read") }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).printable }.joined(separator: "\n")
  }

  /// The textual encoding of RFC 7468 §5: lines of 64 characters.
  static func pem(_ der: [UInt8]) -> String {
    var base64 = [UInt8](repeating: 0, count: (der.count + 2) / 3 * 4 + 1)
    EVP_EncodeBlock(&base64, der, CInt(der.count))
    base64.removeLast()
    var pem = "-----BEGIN CERTIFICATE-----\n"
    for start in stride(from: 0, to: base64.count, by: 64) {
      pem += String(decoding: base64[start..<min(start + 64, base64.count)], as: UTF8.self) + "\n"
    }
    return pem + "-----END CERTIFICATE-----\n"
  }
}
