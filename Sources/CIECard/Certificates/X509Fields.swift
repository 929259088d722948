internal import COpenSSL

/// The fields of a certificate as plain values (RFC 5280 §4.1).
extension X509Handle {
  /// The holder's name, in the order of the encoding.
  func subject() throws(CryptoError) -> Certificate.DistinguishedName {
    try Certificate.DistinguishedName(X509_get_subject_name(pointer))
  }

  /// The issuer's name, in the order of the encoding.
  func issuer() throws(CryptoError) -> Certificate.DistinguishedName {
    try Certificate.DistinguishedName(X509_get_issuer_name(pointer))
  }

  /// The serial number: big-endian magnitude, at least one byte.
  func serial() throws(CryptoError) -> [UInt8] {
    guard let number = X509_get0_serialNumber(pointer) else { throw .fromQueue("serial number") }
    return X509Value.octets(number)
  }

  /// Start and end of validity.
  func validity() throws(CryptoError) -> (notBefore: UTCTime, notAfter: UTCTime) {
    (
      try Self.time(X509_get0_notBefore(pointer)), try Self.time(X509_get0_notAfter(pointer))
    )
  }

  func publicKey() throws(CryptoError) -> Certificate.PublicKey {
    guard let key = X509_get0_pubkey(pointer) else {
      // A key of an unknown algorithm still leaves the rest of the certificate readable.
      CryptoError.clearQueue()
      return .other(algorithm: try keyAlgorithm())
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
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

  private static func time(_ value: UnsafePointer<ASN1_TIME>?) throws(CryptoError) -> UTCTime {
    guard let value, let time = X509Value.time(value) else { throw .fromQueue("validity time") }
    return time
  }

  /// The subjectKeyIdentifier extension (RFC 5280 §4.2.1.2); `nil` if absent.
  func keyIdentifier() -> [UInt8]? {
    defer { CryptoError.clearQueue() }
    return X509_get0_subject_key_id(pointer).map { X509Value.octets($0) }
  }

  /// The key identifier in the authorityKeyIdentifier extension (RFC 5280 §4.2.1.1); `nil` if
  /// absent.
  func issuerKeyIdentifier() -> [UInt8]? {
    defer { CryptoError.clearQueue() }
    return X509_get0_authority_key_id(pointer).map { X509Value.octets($0) }
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
    let name = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_X509_NAME(nil, &cursor, buffer.count)
    }
    defer { X509_NAME_free(name) }
    try self.init(name)
  }

  /// The attributes of an OpenSSL name.
  fileprivate init(_ name: OpaquePointer?) throws(CryptoError) {
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
