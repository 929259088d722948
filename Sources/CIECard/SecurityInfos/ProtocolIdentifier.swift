/// Object identifiers of the protocols of a document, as the content octets of their DER encoding.
enum ProtocolIdentifier {
  /// bsi-de protocols smartcard, 0.4.0.127.0.7.2.2 (BSI TR-03110-3 §A.1.1). Every arc below it fits one octet.
  static let smartcard: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02]
  /// id-PK: a static public key of chip authentication (BSI TR-03110-3 §A.1.1.3).
  static let publicKey = smartcard + [0x01]
  /// id-TA (§A.1.1.4).
  static let terminalAuthentication = smartcard + [0x02]
  /// id-CA (§A.1.1.3).
  static let chipAuthentication = smartcard + [0x03]
  /// id-PACE (§A.1.1.1; Doc 9303-11 §9.2.3).
  static let pace = smartcard + [0x04]
  /// id-icao-mrtd-security-aaProtocolObject, 2.23.136.1.1.5 (Doc 9303-11 §9.2.4).
  static let activeAuthentication: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x05]
  /// id-EFDIR, 2.23.136.1.1.13 (Doc 9303-11 §9.2.9).
  static let directory: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x0D]

  /// What follows in an object identifier behind one of these arcs; `nil` when it does not lie below it.
  static func arcs(of identifier: [UInt8], below arc: [UInt8]) -> [UInt8]? {
    identifier.starts(with: arc) ? [UInt8](identifier.dropFirst(arc.count)) : nil
  }
}
