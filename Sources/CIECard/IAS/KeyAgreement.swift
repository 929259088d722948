/// The values exchanged in key agreement, all of which device authentication signs.
struct KeyAgreementTranscript: Sendable {
  /// g, p and q as received.
  let parameters: DomainParameters
  /// K.IFD as sent, as long as p.
  let terminalValue: [UInt8]
  /// K.ICC as received, as long as p.
  let cardValue: [UInt8]

  /// g ‖ p ‖ q, the tail of both hashes.
  var parameterBytes: [UInt8] { parameters.generator + parameters.modulus + parameters.order }
}

/// Diffie–Hellman with the card (IAS ECC §5.2.3.2), in clear: public values are exchanged, then
/// both sides derive keys.
///
/// It proves nothing, because an attacker in the middle can do the same. The result is therefore an
/// `UnprovenChannel`, which has no way to send a PIN.
enum KeyAgreement {
  private static let step = CardError.Step.agreeKeys

  /// MSE SET for key agreement: algorithm 9B (device authentication with privacy, SHA-256) and parameter object 81.
  ///
  /// - Parameter terminalValue: K.IFD, as long as p.
  static func show(_ terminalValue: [UInt8]) -> CommandAPDU {
    .setSecurityEnvironment(
      .keyAgreement, [0x80, 0x01, 0x9B, 0x83, 0x01, 0x81] + TLV.encode(0x91, terminalValue))
  }

  /// Keys shared with an unknown party.
  struct Agreed: ~Copyable {
    /// With the counter set by key agreement.
    let messaging: SecureMessaging
    private let exchanged: KeyAgreementTranscript

    fileprivate init(messaging: consuming SecureMessaging, exchanged: KeyAgreementTranscript) {
      self.messaging = messaging
      self.exchanged = exchanged
    }

    /// The exchanged values; a function, because a property would free them too early (see
    /// `PACE.Session.facts`).
    borrowing func transcript() -> KeyAgreementTranscript { exchanged }
  }

  /// Agrees on session keys; the plain channel is consumed.
  static func run<Channel: CardChannel & ~Copyable>(
    over plain: consuming PlainChannel<Channel>, parameters: DomainParameters,
    random: inout some RandomSource
  ) throws(CardError) -> UnprovenChannel<Channel> {
    var plain = plain
    let agreed = try agree(through: &plain, parameters: parameters, random: &random)
    let transcript = agreed.transcript()
    return UnprovenChannel(
      SecureChannel(over: plain, messaging: agreed.messaging), transcript: transcript)
  }

  /// Agrees on session keys.
  ///
  /// - Parameter profile: the padding of commands without data: as in IAS ECC, except for
  ///   experiments.
  static func agree(
    through plain: inout PlainChannel<some CardChannel & ~Copyable>, parameters: DomainParameters,
    profile: SecureMessaging.Profile = .ias, random: inout some RandomSource
  ) throws(CardError) -> Agreed {
    let exponent = try CardError.crypto(
      at: step, try secretExponent(below: parameters.order, random: &random))
    let terminalValue = try CardError.crypto(
      at: step,
      try ModularArithmetic.secretPower(parameters.generator, exponent, modulus: parameters.modulus)
    )
    try plain.require(show(terminalValue), at: step)

    let cardValue = try publicValue(in: plain.require(SecurityDataObject.publicValue, at: step))
    try parameters.validate(publicValue: cardValue, own: terminalValue)
    let keys = try CardError.crypto(
      at: step, try sessionKeys(base: cardValue, exponent: exponent, modulus: parameters.modulus))
    return Agreed(
      messaging: SecureMessaging(keys: keys, counter: .one, profile: profile),
      exchanged: KeyAgreementTranscript(
        parameters: parameters, terminalValue: terminalValue, cardValue: cardValue))
  }

  /// A secret 1 < x < q from one draw: as many random bits as q has, the highest cleared so that x
  /// < q, the next one set so that x is long. Costs two of at least 224 bits.
  private static func secretExponent(
    below order: [UInt8], random: inout some RandomSource
  ) throws(CryptoError) -> Secret {
    let bits = order.bitLength
    return try Secret(count: (bits + 7) / 8) { (buffer) throws(CryptoError) in
      try random.fill(buffer)
      let excess = UInt8(buffer.count * 8 - bits)
      buffer[0] &= UInt8(0x7F) >> excess
      let second = bits - 2
      buffer[buffer.count - 1 - second / 8] |= UInt8(1) << UInt8(second % 8)
    }
  }

  /// A6 { 91 K.ICC }.
  private static func publicValue(in data: [UInt8]) throws(CardError) -> [UInt8] {
    try CardError.parse(at: step, try TLVCursor(inside: 0xA6, of: data).first(0x91).bytes)
  }

  /// Z = K.ICC^x mod p with all its leading zeros, then both keys by SHA-256 (IAS ECC §5.2.3.2.3).
  private static func sessionKeys(
    base: [UInt8], exponent: borrowing Secret, modulus: [UInt8]
  ) throws(CryptoError) -> SessionKeys {
    let sharedSecret = try ModularArithmetic.sharedSecret(base, exponent, modulus: modulus)
    return try SessionKeys.derive(from: sharedSecret, for: .tripleDES, hash: .sha256)
  }
}
