/// Trusted certificate, found by its name (RFC 5280 §6.1.1 (d)).
///
/// Decoded on demand, because OpenSSL decodes the key together with the certificate, and all anchors of a store would
/// take longer than reading a card.
struct TrustAnchor: Sendable {
  let der: [UInt8]
  let name: Certificate.DistinguishedName.Key
  private let decoded: Certificate?

  init(_ certificate: Certificate) {
    der = certificate.der
    name = Certificate.DistinguishedName.Key(certificate.subject)
    decoded = certificate
  }

  /// - Returns: `nil` for bytes without the fields of a certificate.
  init?(der: [UInt8]) {
    guard let fields = try? EncodedFields(der),
      let subject = try? Certificate.DistinguishedName(der: fields.subject)
    else { return nil }
    self.der = der
    name = Certificate.DistinguishedName.Key(subject)
    decoded = nil
  }

  /// Decoded certificate; `nil` for bytes that are not a certificate.
  var certificate: Certificate? { decoded ?? (try? Certificate(der: der)) }
}

extension TrustAnchor: Hashable {
  static func == (left: TrustAnchor, right: TrustAnchor) -> Bool { left.der == right.der }

  func hash(into hasher: inout Hasher) { der.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Certificate.DistinguishedName {
  /// Search key of a name: its attributes without order, case and superfluous spaces. Names that are equal by RFC 5280
  /// §7.1 have equal keys.
  struct Key: Equatable, Sendable {
    private let attributes: [String]

    init(_ name: Certificate.DistinguishedName) {
      attributes = name.attributes.map { attribute in
        let words = attribute.value.lowercased().split(separator: " ")
        return attribute.oid + "=" + words.joined(separator: " ")
      }.sorted()
    }
  }
}
