/// The addresses in a certificate at which its issuer answers (RFC 5280 §4.2.1.13, §4.2.2.1): http and https alone.
package struct CertificateAddresses: Sendable, Equatable {
  /// Responders of the issuer (id-ad-ocsp).
  package var responders: [String] = []
  /// Certificates of the issuer (id-ad-caIssuers).
  package var issuers: [String] = []
  /// CRLs (cRLDistributionPoints).
  package var lists: [String] = []

  init(access: [UInt8]?, points: [UInt8]?) {
    for description in Self.members(access) {
      var fields = description.contents
      guard let method = try? fields.next(DER.objectIdentifier).bytes,
        let place = try? fields.next(), let address = Self.address(place)
      else { continue }
      if method == Self.ocsp { responders.append(address) }
      if method == Self.caIssuers { issuers.append(address) }
    }
    for point in Self.members(points) {
      // DistributionPoint: distributionPoint [0], in it fullName [0].
      guard let name = try? point.contents.first(0xA0), let full = try? name.contents.first(0xA0),
        let places = try? full.contents.all()
      else { continue }
      lists += places.compactMap { Self.address($0) }
    }
  }

  private static func members(_ sequence: [UInt8]?) -> [TLV] {
    guard let sequence else { return [] }
    var outer = TLVCursor(sequence)
    return (try? outer.next(DER.sequence).contents.all()) ?? []
  }

  /// uniformResourceIdentifier [6] of a GeneralName.
  private static func address(_ name: TLV) -> String? {
    guard name.tag == 0x86, name.value.count <= 2048,
      name.value.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    let text = String(decoding: name.value, as: UTF8.self)
    let start = text.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") ? text : nil
  }

  /// id-ad-ocsp, 1.3.6.1.5.5.7.48.1.
  private static let ocsp: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01]
  /// id-ad-caIssuers, 1.3.6.1.5.5.7.48.2.
  private static let caIssuers: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]
}

extension Certificate {
  package var addresses: CertificateAddresses {
    CertificateAddresses(
      access: handle.extension("1.3.6.1.5.5.7.1.1"), points: handle.extension("2.5.29.31"))
  }
}
