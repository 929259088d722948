internal import COpenSSL

/// Owner of one parsed X.509 certificate of OpenSSL; frees it when it goes.
///
/// The pointer stays in `Crypto/`: everything that leaves is a plain value.
struct X509Handle: ~Copyable {
  let pointer: OpaquePointer
  /// How many bytes of the input the certificate took.
  let consumed: Int

  /// Parses the certificate at the start of the input (RFC 5280 §4.1).
  ///
  /// - Throws: `CryptoError` when there is none, or when it is BER that is not DER outside of the part that
  ///   the signature covers.
  init(prefixOf input: [UInt8]) throws(CryptoError) {
    var length = 0
    let parsed = input.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var cursor = buffer.baseAddress
      let parsed = d2i_X509(nil, &cursor, buffer.count)
      if let cursor, let start = buffer.baseAddress { length = cursor - start }
      return parsed
    }
    guard let parsed else { throw .fromQueue("parsing of an X.509 certificate") }
    guard Self.encoding(of: parsed) == [UInt8](input.prefix(length)) else {
      X509_free(parsed)
      throw CryptoError("parsing of an X.509 certificate", reason: "not DER")
    }
    pointer = parsed
    consumed = length
  }

  /// A share in a certificate that another OpenSSL object owns.
  init(sharing other: OpaquePointer) throws(CryptoError) {
    guard X509_up_ref(other) == 1 else { throw .fromQueue("X509_up_ref") }
    pointer = other
    consumed = 0
  }

  /// The DER encoding of a certificate that OpenSSL holds; empty when it cannot be encoded.
  static func encoding(of certificate: OpaquePointer) -> [UInt8] {
    defer { ERR_clear_error() }
    let length = i2d_X509(certificate, nil)
    guard length > 0 else { return [] }
    var der = [UInt8](repeating: 0, count: Int(length))
    let written = der.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return i2d_X509(certificate, &cursor)
    }
    return written == length ? der : []
  }

  deinit { X509_free(pointer) }
}
