/// Chip authentication version 1 (Doc 9303-11 §6.2; BSI TR-03110-1 §3.4): the session continues
/// with keys that only the chip with the right static key can derive.
enum ChipAuthentication {
  private static let step = CardError.Step.authenticateChip

  /// Forms of sending our public value (Doc 9303-11 §6.2.4.1, §6.2.4.2).
  enum Form: String {
    /// MSE:Set KAT, one command.
    case keyAgreement = "kat"
    /// MSE:Set AT and GENERAL AUTHENTICATE.
    case authentication = "at"
  }

  /// Runs it, and requires one response of the card under the new keys.
  ///
  /// - Parameters:
  ///   - form: the form of sending our value; `nil` for that of the cipher, with the other one
  ///     after a refusal.
  ///   - channel: has new keys afterwards if the card accepted; any response that fails
  ///     verification closes it.
  static func run(
    _ offer: ChipAuthenticationOffer, as form: Form? = nil,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.ChipProof {
    let agreement = try CardError.crypto(at: step, try Agreement.draw(for: offer, random: &random))
    let status: StatusWord
    do throws(CardError.Reason) {
      status = try show(agreement.publicValue, offer, as: form, through: &channel)
    } catch .channel(.lengthNotCarried) {
      return .lengthNotCarried
    } catch .channelEnded(let status) {
      return .channelEnded(status)
    } catch {
      throw CardError(step, error)
    }
    guard status == .success else { return .refused(status) }
    let cipher = offer.protocol.cipher
    let keys = try CardError.crypto(
      at: step,
      try SessionKeys.derive(from: agreement.secret, for: cipher, hash: cipher.derivationHash))
    channel.rekey(
      SecureMessaging(
        keys: keys, counter: SendSequenceCounter(for: cipher), profile: .travelDocument))
    do throws(CardError.Reason) {
      // Any protected response will do, whatever its status: here to SELECT of DG14, which exists.
      _ = try channel.send(.select(.dataGroup(.dg14)))
      return .proved
    } catch .notBelieved, .channelEnded(.secureMessagingObjectMissing),
      .channelEnded(.secureMessagingObjectIncorrect)
    {
      // The chip accepted our value but has other keys than those of the static key: its MAC, or
      // its complaint about ours, shows it.
      return .failed
    } catch .channelEnded(let status) {
      return .channelEnded(status)
    } catch {
      throw CardError(step, error)
    }
  }

  /// Our public value and the secret shared with the static key.
  struct Agreement: ~Copyable {
    let publicValue: [UInt8]
    let secret: Secret

    /// Maximum number of draws; one secret in 256 begins with a zero byte.
    private static let maximumDraws = 16

    /// Draws keys until the secret does not begin with a zero byte: it is not known of every chip
    /// whether it keeps or drops that byte, and a chip that drops it is not a false one.
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

  /// Sends our public value: with MSE:Set KAT for 3DES, with MSE:Set AT and GENERAL AUTHENTICATE
  /// for AES, and for 3DES if the card does not support the former (Doc 9303-11 §6.2.4).
  private static func show(
    _ publicValue: [UInt8], _ offer: ChipAuthenticationOffer, as form: Form?,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>
  ) throws(CardError.Reason) -> StatusWord {
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
