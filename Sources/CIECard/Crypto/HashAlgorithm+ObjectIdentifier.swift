extension HashAlgorithm {
  /// The algorithm of an object identifier, given as the content octets of its DER encoding.
  ///
  /// - Returns: `nil` when it is none of those that documents use (Doc 9303-12 §4.4).
  init?(objectIdentifier octets: some Collection<UInt8>) {
    let found = Self.allCases.first { $0.objectIdentifier.elementsEqual(octets) }
    guard let found else { return nil }
    self = found
  }

  /// The content octets of the object identifier: id-sha1 (RFC 3370 §2.1), the others of NIST CSOR
  /// 2.16.840.1.101.3.4.2 (RFC 5754 §2).
  var objectIdentifier: [UInt8] {
    let sha2: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
    return switch self {
    case .sha1: [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    case .sha224: sha2 + [0x04]
    case .sha256: sha2 + [0x01]
    case .sha384: sha2 + [0x02]
    case .sha512: sha2 + [0x03]
    }
  }
}
