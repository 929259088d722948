internal import COpenSSL
internal import Glibc

/// ASN.1 values of OpenSSL as Swift values: object identifiers, octet strings, times.
enum X509Value {
  /// The dotted form, such as `2.5.4.3`.
  static func dotted(_ object: OpaquePointer) -> String {
    let length = OBJ_obj2txt(nil, 0, object, 1)
    guard length > 0 else { return "" }
    var buffer = [CChar](repeating: 0, count: Int(length) + 1)
    OBJ_obj2txt(&buffer, CInt(buffer.count), object, 1)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// OpenSSL's short name, such as `CN`; the dotted form if there is none.
  static func name(_ object: OpaquePointer) -> String {
    let known = OBJ_obj2nid(object)
    guard known != NID_undef, let short = OBJ_nid2sn(known) else { return dotted(object) }
    return String(cString: short)
  }

  /// Lower-case hexadecimal.
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    Array(bytes).hexadecimal.lowercased()
  }

  /// The DER encoding of an AlgorithmIdentifier (RFC 5280 §4.1.1.2); empty when it cannot be encoded.
  static func encoding(of algorithm: UnsafePointer<X509_ALGOR>) -> [UInt8] {
    der { i2d_X509_ALGOR(algorithm, $0) }
  }

  /// The encoding by one of OpenSSL's encoders; empty when it fails.
  static func der(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
  ) -> [UInt8] {
    defer { CryptoError.clearQueue() }
    let length = encode(nil)
    guard length > 0 else { return [] }
    var der = [UInt8](repeating: 0, count: Int(length))
    let written = der.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return encode(&cursor)
    }
    return written == length ? der : []
  }

  /// The bytes of an octet string, or the magnitude of an integer.
  static func octets(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
    let length = Int(max(0, ASN1_STRING_length(string)))
    return [UInt8](UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: length))
  }

  /// The time; `nil` if it is malformed.
  static func time(_ time: UnsafePointer<ASN1_TIME>) -> UTCTime? {
    var fields = tm()
    return ASN1_TIME_to_tm(time, &fields) == 1 ? UTCTime(seconds: Int64(timegm(&fields))) : nil
  }

  /// UTCTime or GeneralizedTime, in its encoding; `nil` if it is malformed.
  static func time(_ encoded: [UInt8]) -> UTCTime? {
    defer { CryptoError.clearQueue() }
    guard let (time, _) = parsedPrefix(of: encoded, by: d2i_ASN1_TIME) else { return nil }
    defer { ASN1_TIME_free(time) }
    return self.time(time)
  }

  /// The textual encoding of RFC 7468 §5: lines of 64 characters.
  static func pem(_ der: [UInt8]) -> String {
    let base64 = Base64.encode(der)
    var pem = "-----BEGIN CERTIFICATE-----\n"
    for start in stride(from: 0, to: base64.count, by: 64) {
      pem += String(decoding: base64[start..<min(start + 64, base64.count)], as: UTF8.self) + "\n"
    }
    return pem + "-----END CERTIFICATE-----\n"
  }
}

extension X509Handle {
  /// All fields as text.
  ///
  /// Names keep their UTF-8. Characters that could control a terminal are escaped as `\u{…}`.
  func text() throws(CryptoError) -> String {
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
}
