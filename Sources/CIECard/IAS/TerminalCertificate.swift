/// The certificate that the terminal shows the card: made on the fly, signed under the authority key
/// (IAS ECC §9.5.1; ISO/IEC 9796-2 scheme 1 with SHA-256 and partial recovery).
struct TerminalCertificate: Equatable, Sendable {
  /// CHR, the holder reference: four zeros and the terminal's serial number.
  static let holderReference = [UInt8](repeating: 0, count: 4) + TerminalKey.serialNumber

  /// The certificate body, 297 bytes, not self-describing.
  let body: [UInt8]
  /// The authority whose key verifies it.
  let authority: AuthorityKey

  /// CPI: bit 8 application-dependent, bit 4 device authentication with privacy, low bits 10 = 2048-bit key.
  private static let profileIdentifier: UInt8 = 0x8A
  /// The role byte in CHA: device authentication.
  private static let role: UInt8 = 0x01
  /// The object identifier of the signature scheme; its last byte 04 stands for SHA-256.
  private static let signatureScheme: [UInt8] = [
    0x2A, 0x81, 0x22, 0xF4, 0x2A, 0x02, 0x04, 0x01, 0x04,
  ]

  init(authority: AuthorityKey) {
    self.authority = authority
    body =
      [Self.profileIdentifier] + authority.authorityReference + Self.holderReference
      + authority.applicationIdentifier + [Self.role] + Self.signatureScheme
      + TerminalKey.modulus + TerminalKey.publicExponent
  }

  /// Signs the body and encodes the data field of PSO VERIFY CERTIFICATE:
  /// 7F21 { 5F37 signature, 5F38 unrecovered remainder, 42 authority reference }.
  func signed() throws(CryptoError) -> [UInt8] {
    let recovered = RecoverableSignature.messageLength(
      modulus: authority.modulus.count)
    let signature = try RecoverableSignature.sign(
      recovered: [UInt8](body.prefix(recovered)), hashing: body,
      exponent: TerminalKey.authorityExponent, modulus: authority.modulus)
    return TLV.encode(
      0x7F21,
      [
        TLV.encode(0x5F37, signature),
        TLV.encode(0x5F38, [UInt8](body.dropFirst(recovered))),
        TLV.encode(0x42, authority.authorityReference),
      ])
  }
}
