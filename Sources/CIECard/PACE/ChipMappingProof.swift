/// The proof of chip-authentication mapping (Doc 9303-11 §4.4.3.5): the chip reveals CA_IC, the
/// factor between its mapping key and its static key. It proves the chip once EF.CardSecurity,
/// signed by the state, contains that static key.
struct ChipMappingProof: Sendable {
  /// PK_Map,IC as received.
  let mappingValue: [UInt8]
  /// CA_IC, a scalar.
  let chipData: [UInt8]
}

extension ChipMappingProof {
  /// Decrypts object 8A of the last answer.
  ///
  /// - Parameters:
  ///   - objects: the contents of the answer's template.
  ///   - keys: the new session keys.
  init(
    _ objects: [TLV], mappingValue: [UInt8], keys: borrowing SessionKeys
  ) throws(CardError) {
    let cipher = keys.cipher
    guard let object = objects.first(where: { $0.tag == 0x8A }), !object.value.isEmpty,
      object.value.count % cipher.blockLength == 0
    else { throw CardError(.openAccess, .malformed(.structure)) }
    let cryptogram = object.bytes
    let padded = try CardError.crypto(at: .openAccess) { () throws(CryptoError) in
      // IV = E(KS_enc, −1): all bits set (Doc 9303-11 §4.4.3.5.1).
      let iv = try AES.encrypt(
        [UInt8](repeating: 0xFF, count: AES.blockLength), key: keys.encryption)
      return try cipher.decrypt(cryptogram, key: keys.encryption, iv: iv)
    }
    guard let data = BlockPadding.unpad(padded, from: cipher.blockLength), !data.isEmpty else {
      throw CardError(.openAccess, .chipNotAuthentic)
    }
    self.init(mappingValue: mappingValue, chipData: data)
  }

  /// True if the mapping key is this multiple of the static key: PK_Map,IC = CA_IC · PK_IC.
  func isConfirmed(by staticKey: [UInt8], in domain: AgreementDomain) -> Bool {
    do throws(CryptoError) {
      guard try domain.isSafe(staticKey) else { return false }
      let product = try domain.power(staticKey, Secret(chipData))
      return domain.areEqual(product, mappingValue)
    } catch {
      return false
    }
  }
}
