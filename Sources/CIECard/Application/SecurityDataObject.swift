/// The security data objects of the CIE application, read with GET DATA (IAS ECC; ISO/IEC 7816-4
/// §11.4.3, odd instruction CB with an extended header list in tag 4D). Before key agreement the
/// command has no Le, as in the public hosts.
enum SecurityDataObject {
  /// All three Diffie–Hellman parameters: object BFA101, template A3.
  static let domainParameters = CommandAPDU.getData([
    0x70, 0x06, 0xBF, 0xA1, 0x01, 0x02, 0xA3, 0x80,
  ])

  /// One Diffie–Hellman parameter: 97 = g, 98 = p, 99 = q.
  static func domainParameter(_ tag: UInt8) -> CommandAPDU {
    CommandAPDU.getData([0x70, 0x08, 0xBF, 0xA1, 0x01, 0x04, 0xA3, 0x02, tag, 0x00])
  }

  /// The public key 84 under which terminal certificates are verified: object BFA004, template 7F49.
  static let authorityKey = CommandAPDU.getData([
    0x70, 0x07, 0xBF, 0xA0, 0x04, 0x03, 0x7F, 0x49, 0x80,
  ])

  /// The card's ephemeral Diffie–Hellman value: template A6, tag 91.
  static let publicValue = CommandAPDU.getData([0xA6, 0x02, 0x91, 0x00])

  /// The control parameters of a PIN object: BF8101 for the PIN, BF8102 for the PUK, template A0 (IAS ECC §3.4.5).
  ///
  /// Only inside secure messaging after device authentication (CIE 3.0 chip specification, annex A), so with an Le.
  static func controlParameters(of kind: CardError.CodeKind) -> CommandAPDU {
    CommandAPDU.getData(
      [0x70, 0x06, 0xBF, 0x81, kind.reference & 0x0F, 0x02, 0xA0, 0x80],
      expected: .upTo(CommandAPDU.maximumShortResponse))
  }
}

extension CardError.CodeKind {
  /// The reference in P2: local reference data 1 or 2 (ISO/IEC 7816-4 table 65).
  var reference: UInt8 {
    switch self {
    case .pin: 0x81
    case .puk: 0x82
    }
  }
}

/// The card's RSA keys that sign by INTERNAL AUTHENTICATE: the card pads the data to 00 01 FF … 00
/// ‖ data (IAS ECC; PKCS#1 v1.5, RFC 8017 §9.2).
enum KeyUsage {
  /// Key 81: the holder's, after the PIN, under secure messaging.
  static let holderKey: UInt8 = 0x81
  /// Key 83: proves the chip; free, in clear.
  static let servicesKey: UInt8 = 0x83

  /// MSE SET, authentication template: algorithm 02 (RSA PKCS#1, no formatting but padding) and a private key.
  static func select(_ key: UInt8) -> CommandAPDU {
    .setSecurityEnvironment(.authentication, [0x80, 0x01, 0x02, 0x84, 0x01, key])
  }
}
