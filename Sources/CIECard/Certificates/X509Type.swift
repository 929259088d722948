internal import COpenSSL

/// Types of X.509 (RFC 5280 §4.1, §5.1), of which CMS consists, too.
enum X509Type {
  case algorithm
  case attribute
  case certificate
  case integer
  case name
  case objectIdentifier
  case revocationList

  /// The DER encoding of a value that is the whole input, in BER or DER; `nil` if it is malformed. The signed part of a
  /// certificate stays as it is.
  func der(_ encoded: [UInt8]) -> [UInt8]? {
    defer { CryptoError.clearQueue() }
    let item = item
    guard
      let (value, length) = parsedPrefix(
        of: encoded, by: { ASN1_item_d2i($0, $1, $2, item) })
    else { return nil }
    defer { ASN1_item_free(value, item) }
    let der = X509Value.der { ASN1_item_i2d(value, $0, item) }
    return length == encoded.count && !der.isEmpty ? der : nil
  }

  private var item: OpaquePointer? {
    switch self {
    case .algorithm: X509_ALGOR_it()
    case .attribute: X509_ATTRIBUTE_it()
    case .certificate: X509_it()
    case .integer: ASN1_INTEGER_it()
    case .name: X509_NAME_it()
    case .objectIdentifier: ASN1_OBJECT_it()
    case .revocationList: X509_CRL_it()
    }
  }
}

/// The name of a signer's certificate (RFC 5652 §5.3).
enum SignerIdentifier {
  /// The encodings of both.
  case issuer([UInt8], serialNumber: [UInt8])
  case subjectKey([UInt8])

  /// - Returns: `nil` if it is malformed.
  init?(_ identifier: TLV) {
    guard identifier.tag == DER.sequence else {
      self = .subjectKey(identifier.bytes)
      return
    }
    guard let fields = try? identifier.contents.all(), fields.count == 2,
      let issuer = X509Type.name.der([UInt8](fields[0].encoded)),
      let number = X509Type.integer.der([UInt8](fields[1].encoded))
    else { return nil }
    self = .issuer(issuer, serialNumber: number)
  }

  /// True if it names a certificate; names are equal if they differ in case, spaces and type of text only (RFC 5280 §7.1).
  func names(_ certificate: X509Handle) -> Bool {
    defer { CryptoError.clearQueue() }
    switch self {
    case .subjectKey(let identifier):
      let own = X509_get0_subject_key_id(certificate.pointer).map { X509Value.octets($0) }
      return own == identifier
    case .issuer(let name, let serialNumber):
      guard let (issuer, _) = parsedPrefix(of: name, by: d2i_X509_NAME) else { return false }
      defer { X509_NAME_free(issuer) }
      let number = X509_get0_serialNumber(certificate.pointer)
      return X509_NAME_cmp(issuer, X509_get_issuer_name(certificate.pointer)) == 0
        && X509Value.der { i2d_ASN1_INTEGER(number, $0) } == serialNumber
    }
  }
}
