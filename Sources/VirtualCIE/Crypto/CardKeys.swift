internal import CIECard

/// A private RSA key of the card, 2048 bits.
extension RSAPrivateKey {
  /// PKCS#1 RSAPublicKey, the content of EF 1004, 1005 and 1007 (RFC 8017 §A.1.1).
  var publicKeyDER: [UInt8] {
    BERObject.encode(0x30, BERObject.integer(modulus), BERObject.integer([1, 0, 1]))
  }

  /// RSASSA-PKCS1-v1_5 over an encoded DigestInfo, or any other short text (RFC 8017 §9.2).
  func sign(_ text: [UInt8]) throws(CryptoError) -> [UInt8] {
    let filling = modulus.count - text.count - 3
    guard filling >= 8 else { throw CryptoError("PKCS#1 padding", reason: "text too long") }
    return try apply([0, 1] + [UInt8](repeating: 0xFF, count: filling) + [0] + text)
  }
}

/// The key with which the card checks terminal certificates (key reference 84).
///
/// Hosts sign with one fixed private exponent, modulo the modulus that the card publishes, so the
/// persona has a modulus and a public exponent that match it.
struct TerminalAuthorityKey {
  /// The modulus, 256 bytes.
  let modulus: [UInt8]
  /// The public exponent, of any length.
  let exponent: [UInt8]
  /// Certificate authority reference: the 8 low-order bytes of the holder reference.
  let reference: [UInt8]

  /// Certificate holder reference, 12 bytes (IAS ECC §9.5).
  var holderReference: [UInt8] { [0, 0, 0, 0] + reference }
  /// Certificate holder authorisation: AID of the CIE application ‖ role.
  let holderAuthorization: [UInt8] = Application.identityAID + [0]

  /// The algorithm of the key: 41, terminal certificates ("CIE 3.0 – Specifiche Chip", annex A; IAS
  /// ECC §3.4.6.3).
  static let algorithmObject = BERObject.encode(0x80, [0x41])

  /// The data objects of the key in GET DATA (tags of ISO/IEC 7816-8 §5.2).
  func object(_ tag: UInt32) -> [UInt8] {
    switch tag {
    case 0x81: BERObject.encode(tag, modulus)
    case 0x82: BERObject.encode(tag, exponent)
    case 0x5F20: BERObject.encode(tag, holderReference)
    case 0x5F4C: BERObject.encode(tag, holderAuthorization)
    default: []
    }
  }
}

/// ISO/IEC 9796-2 scheme 1 with SHA-256 and a one-byte trailer: 6A ‖ recoverable part ‖ hash ‖ BC.
enum RecoverableSignature {
  /// Bytes of the message that fit into a 2048-bit signature: 256 − 32 − 2.
  static let recoverableLength = 222

  /// Opens a raw RSA result: the recoverable part and the hash; nil if it is not framed.
  static func open(_ block: [UInt8]) -> (recovered: [UInt8], hash: [UInt8])? {
    guard block.count == 256, block.first == 0x6A, block.last == 0xBC else { return nil }
    let inner = block.dropFirst().dropLast()
    return ([UInt8](inner.prefix(recoverableLength)), [UInt8](inner.suffix(32)))
  }
}
