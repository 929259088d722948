internal import CIECard

/// PACE between two commands (Doc 9303-11 §4.4).
struct PACERun {
  let profile: PACEProfile
  let group: AgreementGroup
  let password: PACEPassword
  var step = Step.chosen

  /// The last step of the card.
  enum Step {
    /// MSE:Set AT.
    case chosen
    /// It has given its nonce s, encrypted.
    case nonce([UInt8])
    /// It has mapped the generator; with generic mapping the scalar of its key is kept for chip authentication.
    case mapped(generator: [UInt8], scalar: [UInt8])
    case agreed(Agreement)
  }

  struct Agreement {
    let terminalValue: [UInt8]
    let cardValue: [UInt8]
    let keys: SessionKeys
    let mappingScalar: [UInt8]
  }

  /// True if the next command is the last one, which has no chaining bit.
  var isAtEnd: Bool {
    if case .agreed = step { true } else { false }
  }

  /// The token over the other side's value: 7F49 { 06, 84 or 86 } (Doc 9303-11 §4.4.3.4).
  func token(over value: [UInt8], _ keys: SessionKeys) throws(CryptoError) -> [UInt8] {
    let input = BERObject.encode(
      0x7F49, BERObject.encode(0x06, profile.objectIdentifier),
      BERObject.encode(group.kind.rawValue, value))
    return try profile.suite.token(input, key: Secret(keys.authentication))
  }

  /// Length of the nonce: the key length for integrated mapping, in whole blocks; else one block of
  /// AES, or the requested length for 3DES (CIEs with 8 and with 16 bytes have been seen).
  func nonceLength(wanted: Int?) -> Int {
    let suite = profile.suite
    switch profile.mapping {
    case .integrated: return max(16, (suite.keyLength + 15) / 16 * 16)
    case .generic, .chipAuthentication: return suite == .tripleDES ? wanted ?? 16 : 16
    }
  }
}

/// The passwords of PACE by their references in MSE:Set AT (Doc 9303-11 §4.4.4.1, table 5).
enum PACEPassword: UInt8 {
  case mrz = 1
  case can = 2
  case pin = 3
  case puk = 4

  /// The holder's secret with this reference; nil for a password printed on the document.
  var holderReference: PINReference? {
    switch self {
    case .mrz, .can: nil
    case .pin: .pin
    case .puk: .puk
    }
  }
}
