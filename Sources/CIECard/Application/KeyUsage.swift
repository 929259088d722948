/// The card's RSA keys that sign by INTERNAL AUTHENTICATE: it pads the data to 00 01 FF … 00 ‖ data (IAS ECC; PKCS#1
/// v1.5, RFC 8017 §9.2).
enum KeyUsage {
  /// Key 81: the holder's, after the PIN, under secure messaging.
  static let holderKey: UInt8 = 0x81
  /// Key 83: proves the chip, free, in clear.
  static let servicesKey: UInt8 = 0x83

  /// MSE SET, authentication template: algorithm 02 (RSA PKCS#1, no formatting but padding) and a private key.
  static func select(_ key: UInt8) -> CommandAPDU {
    .setSecurityEnvironment(.authentication, [0x80, 0x01, 0x02, 0x84, 0x01, key])
  }
}
