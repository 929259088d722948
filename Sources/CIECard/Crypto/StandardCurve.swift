internal import COpenSSL

/// The elliptic curves of the standardised domain parameters, by their numbers (Doc 9303-11 §9.5.1, table 6; BSI
/// TR-03110-3 §A.2.1.1). All have cofactor 1.
package enum StandardCurve: UInt8, Sendable, CaseIterable {
  /// NIST P-192.
  case secp192r1 = 8
  /// BrainpoolP192r1 (RFC 5639), as the others of that name.
  case brainpoolP192r1 = 9
  /// NIST P-224.
  case secp224r1 = 10
  /// 224 bits.
  case brainpoolP224r1 = 11
  /// NIST P-256.
  case secp256r1 = 12
  /// 256 bits.
  case brainpoolP256r1 = 13
  /// 320 bits.
  case brainpoolP320r1 = 14
  /// NIST P-384.
  case secp384r1 = 15
  /// 384 bits.
  case brainpoolP384r1 = 16
  /// 512 bits.
  case brainpoolP512r1 = 17
  /// NIST P-521.
  case secp521r1 = 18

  /// The curve with this object identifier, given as the content octets of its encoding.
  package init?(objectIdentifier octets: [UInt8]) {
    let found = Self.allCases.first { curve in
      guard let object = OBJ_nid2obj(curve.nid), let data = OBJ_get0_data(object) else {
        return false
      }
      return octets.elementsEqual(UnsafeBufferPointer(start: data, count: OBJ_length(object)))
    }
    guard let found else { return nil }
    self = found
  }

  /// OpenSSL's number of the curve.
  var nid: CInt {
    switch self {
    case .secp192r1: NID_X9_62_prime192v1
    case .brainpoolP192r1: NID_brainpoolP192r1
    case .secp224r1: NID_secp224r1
    case .brainpoolP224r1: NID_brainpoolP224r1
    case .secp256r1: NID_X9_62_prime256v1
    case .brainpoolP256r1: NID_brainpoolP256r1
    case .brainpoolP320r1: NID_brainpoolP320r1
    case .secp384r1: NID_secp384r1
    case .brainpoolP384r1: NID_brainpoolP384r1
    case .brainpoolP512r1: NID_brainpoolP512r1
    case .secp521r1: NID_secp521r1
    }
  }
}
