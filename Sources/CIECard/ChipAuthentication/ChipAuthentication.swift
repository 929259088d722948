/// Chip authentication version 1 (Doc 9303-11 §6.2; BSI TR-03110-1 §3.4): the session goes on with keys that only the
/// chip with the right static key can have.
enum ChipAuthentication {
  private static let step = CardError.Step.authenticateChip

  /// How our public value is shown (Doc 9303-11 §6.2.4.1, §6.2.4.2).
  enum Form: String {
    /// MSE:Set KAT, one command.
    case keyAgreement = "kat"
    /// MSE:Set AT and GENERAL AUTHENTICATE.
    case authentication = "at"
  }

  /// Runs it, and lets the card answer once under the new keys.
  ///
  /// - Parameters:
  ///   - form: how our value is shown; `nil` for the one that the cipher asks for, and another where that is refused.
  ///   - channel: has new keys afterwards when the card accepted; any failed answer closes it.
  static func run(
    _ offer: ChipAuthenticationOffer, as form: Form? = nil,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> ChipAuthenticationResult {
    let agreement = try CardError.crypto(at: step) { () throws(CryptoError) in
      try Agreement.draw(for: offer, random: &random)
    }
    let status: StatusWord
    do throws(CommandError) {
      status = try show(agreement.publicValue, offer, as: form, through: &channel)
    } catch .channel(.lengthNotCarried) {
      return .extendedLengthNeeded
    } catch .channelEnded(let status) {
      return .channelEnded(status)
    } catch {
      throw CardError(step, cause: error)
    }
    guard status == .success else { return .refused(status) }
    let cipher = offer.protocol.cipher
    let keys = try CardError.crypto(at: step) { () throws(CryptoError) in
      try SessionKeys.derive(
        from: agreement.secret, for: cipher, hash: cipher.derivationHash)
    }
    channel.rekey(
      SecureMessaging(
        keys: keys, counter: SendSequenceCounter(for: cipher), profile: .travelDocument))
    do throws(CommandError) {
      // Any protected answer will do, whatever it says: here DG14, which is there, is selected.
      _ = try channel.send(.select(.dataGroup(.dg14)))
      return .proved
    } catch .secureMessaging, .channelEnded(.secureMessagingObjectMissing),
      .channelEnded(.secureMessagingObjectIncorrect)
    {
      // The chip took our value and has other keys than the static key gives: its MAC says so, or it says so of ours.
      return .failed
    } catch .channelEnded(let status) {
      return .channelEnded(status)
    } catch {
      throw CardError(step, cause: error)
    }
  }

  /// Our value and what it agrees with the static key.
  struct Agreement: ~Copyable {
    let publicValue: [UInt8]
    let secret: Secret

    /// How often one secret in 256 may begin with a zero byte.
    private static let maximumDraws = 16

    /// Draws a key until the secret begins with no zero byte: whether a chip keeps or drops that byte is not known of
    /// every one, and a chip that drops it is not a false one.
    static func draw(
      for offer: ChipAuthenticationOffer, random: inout some RandomSource
    ) throws(CryptoError) -> Agreement {
      for _ in 0..<maximumDraws {
        let key = try EphemeralKey.generate(
          in: offer.domain, generator: offer.domain.generator, random: &random)
        let secret = try offer.domain.sharedSecret(offer.publicValue, key.scalar)
        if secret.withBytes({ $0.first != 0 }) {
          return Agreement(publicValue: key.publicValue, secret: secret)
        }
      }
      throw CryptoError("key generation", reason: "the random source gives no usable number")
    }
  }

  /// Shows our public value: with MSE:Set KAT for 3DES, with MSE:Set AT and GENERAL AUTHENTICATE for AES, and for 3DES
  /// where the card does not know the former (Doc 9303-11 §6.2.4).
  private static func show(
    _ publicValue: [UInt8], _ offer: ChipAuthenticationOffer, as form: Form?,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>
  ) throws(CommandError) -> StatusWord {
    let number = offer.keyIdentifier.map { TLV.encode(0x84, $0.bytes) } ?? []
    if form ?? .keyAgreement == .keyAgreement, offer.protocol.cipher == .tripleDES {
      let template = TLV.encode(0x91, publicValue) + number
      let status = try channel.sendWhole(
        .setSecurityEnvironment(.keyAgreement, template)
      ).status
      if status == .success || form != nil { return status }
    }
    let template = TLV.encode(0x80, offer.protocol.objectIdentifier) + number
    let status = try channel.send(.setSecurityEnvironment(.authentication, template)).status
    guard status == .success else { return status }
    return try channel.sendWhole(
      .generalAuthenticate(TLV.encode(0x80, publicValue))
    ).status
  }
}

/// What came of chip authentication (Doc 9303-11 §6.2), or of chip-authentication mapping.
package enum ChipAuthenticationResult: Sendable, Hashable {
  /// The chip answered with keys that only its static private key gives.
  case proved
  /// The chip answered otherwise than with those keys.
  case failed
  /// The document announces no static key.
  case notOffered
  /// The announced key or protocol is none that this program can calculate with.
  case unsupported
  /// The card refused with this status word.
  case refused(StatusWord)
  /// The card ended the secure channel over it with this status word, in clear.
  case channelEnded(StatusWord)
  /// The reader does not carry commands as long as the key.
  case extendedLengthNeeded
}
