// Deliberately written apart from CIECard: the terminal's key.

/// What the card keeps of a terminal certificate.
struct TerminalCertificate {
  /// CHR, 12 bytes: four zeros ‖ SN.IFD.
  let holderReference: [UInt8]
  /// Modulus, 256 bytes.
  let modulus: [UInt8]
  /// Public exponent, 4 bytes.
  let exponent: [UInt8]
  /// The last byte of CHA: what the key is for.
  let role: UInt8
  /// The role of a terminal (IAS ECC §7.2.5.4.1).
  static let terminalRole: UInt8 = 0x01
  /// SN.IFD, 8 bytes.
  var serialNumber: [UInt8] { [UInt8](holderReference.suffix(8)) }
}

extension TerminalCertificate {
  /// Reads a certificate body: CPI(1) CAR(8) CHR(12) CHA(7) OID(9) modulus(256) exponent(4).
  ///
  /// The checks of IAS ECC §7.2.6.5. Nobody compares the application in CHA; the role byte is looked at by EXTERNAL
  /// AUTHENTICATE.
  init(body: [UInt8], authority: TerminalAuthorityKey) throws(Refusal) {
    guard body.count == 297 else { throw Refusal(.conditionsNotSatisfied) }
    var rest = body[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return [UInt8](rest.prefix(count))
    }
    // CPI 8A: device authentication with privacy, 2048-bit key.
    guard take(1) == [0x8A] else { throw Refusal(.conditionsNotSatisfied) }
    guard take(8) == authority.reference else { throw Refusal(.wrongData) }
    holderReference = take(12)
    guard holderReference.prefix(4).allSatisfy({ $0 == 0 }), let role = take(7).last else {
      throw Refusal(.wrongData)
    }
    self.role = role
    // The scheme that goes with the profile; 04 at its end: SHA-256.
    guard take(9) == [0x2A, 0x81, 0x22, 0xF4, 0x2A, 0x02, 0x04, 0x01, 0x04] else {
      throw Refusal(.wrongData)
    }
    modulus = take(256)
    exponent = take(4)
    guard modulus.last.map({ $0 & 1 == 1 }) == true else { throw Refusal(.wrongData) }
  }
}
