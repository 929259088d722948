internal import COpenSSL

/// The fields of a certificate as plain values (RFC 5280 §4.1).
extension X509Handle {
  func publicKey() throws(CryptoError) -> Certificate.PublicKey {
    guard let key = X509_get0_pubkey(pointer) else {
      // A key of an unknown algorithm still leaves the rest of the certificate readable.
      CryptoError.clearQueue()
      return .other(algorithm: try keyAlgorithm())
    }
    guard Certificate.isRSA(key) else {
      return .other(algorithm: try keyAlgorithm())
    }
    guard let rsa = RSAPublicKey(evp: key) else { throw .fromQueue("RSA public key") }
    return .rsa(rsa)
  }

  /// True if the certified key is on a known curve, or is not an elliptic-curve key.
  func hasKnownCurve() -> Bool { KnownCurve.isKnown(of: X509_get0_pubkey(pointer)) }

  private func keyAlgorithm() throws(CryptoError) -> String {
    var algorithm: OpaquePointer?
    guard X509_PUBKEY_get0_param(&algorithm, nil, nil, nil, X509_get_X509_PUBKEY(pointer)) == 1,
      let algorithm
    else { throw .fromQueue("public key algorithm") }
    return X509Value.name(algorithm)
  }

  /// The contents of an extension (RFC 5280 §4.2); `nil` if absent.
  ///
  /// - Parameter identifier: dotted.
  func `extension`(_ identifier: String) -> [UInt8]? {
    defer { CryptoError.clearQueue() }
    guard let object = OBJ_txt2obj(identifier, 1) else { return nil }
    defer { ASN1_OBJECT_free(object) }
    let place = X509_get_ext_by_OBJ(pointer, object, -1)
    guard place >= 0, let found = X509_get_ext(pointer, place),
      let contents = X509_EXTENSION_get_data(found)
    else { return nil }
    return X509Value.octets(contents)
  }
}

extension Certificate.DistinguishedName {
  /// Parses a Name (RFC 5280 §4.1.2.4) that stands alone.
  init(der: [UInt8]) throws(CryptoError) {
    let name = parsedPrefix(of: der, by: d2i_X509_NAME)?.object
    defer { X509_NAME_free(name) }
    try self.init(name)
  }

  /// The attributes of an OpenSSL name.
  init(_ name: OpaquePointer?) throws(CryptoError) {
    guard let name else { throw .fromQueue("distinguished name") }
    var attributes: [Attribute] = []
    for index in 0..<max(0, X509_NAME_entry_count(name)) {
      guard let entry = X509_NAME_get_entry(name, index),
        let object = X509_NAME_ENTRY_get_object(entry),
        let data = X509_NAME_ENTRY_get_data(entry)
      else { throw .fromQueue("distinguished name") }
      attributes.append(
        Attribute(
          oid: X509Value.dotted(object), name: X509Value.name(object), value: Self.text(data)))
    }
    self.init(attributes: attributes)
  }

  /// The text of an attribute value; `#` and the content in hexadecimal if it is not text (RFC 4514
  /// §2.4).
  private static func text(_ value: UnsafePointer<ASN1_STRING>) -> String {
    var utf8: UnsafeMutablePointer<UInt8>?
    let length = ASN1_STRING_to_UTF8(&utf8, value)
    defer { CRYPTO_free(utf8, #fileID, #line) }
    if length >= 0, let utf8 {
      return String(
        decoding: UnsafeBufferPointer(start: utf8, count: Int(length)), as: UTF8.self)
    }
    CryptoError.clearQueue()
    return "#" + X509Value.hex(X509Value.octets(value))
  }
}

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
