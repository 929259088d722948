/// T: what either side shows of the new keys (Doc 9303-11 §4.4.3.4).
enum AuthenticationToken {
  /// Length of a token in bytes.
  static let length = 8

  /// The MAC over the public key object of the *other* side: 7F49 { 06 protocol, 84 number or 86 point }.
  ///
  /// - Parameters:
  ///   - publicValue: as it went over the wire.
  ///   - protocol: the content octets of the object identifier.
  static func compute(
    over publicValue: [UInt8], method: KeyAgreementMethod, protocol identifier: [UInt8],
    keys: borrowing SessionKeys
  ) throws(CryptoError) -> [UInt8] {
    let tag: UInt32 =
      switch method {
      case .dh: 0x84
      case .ecdh: 0x86
      }
    var input = TLV.encode(
      0x7F49, [TLV.encode(0x06, identifier), TLV.encode(tag, publicValue)])
    switch keys.cipher {
    case .tripleDES:
      BlockPadding.pad(&input, to: keys.cipher.blockLength)
      return try RetailMAC.compute(input, key: keys.authentication)
    case .aes128, .aes192, .aes256:
      // CMAC pads by itself; unlike in secure messaging, nothing is padded before.
      return [UInt8](try CMAC.compute(input, key: keys.authentication).prefix(length))
    }
  }
}
