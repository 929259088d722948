/// Chip authentication version 1 (Doc 9303-11 §6.2; BSI TR-03110-1 §3.4): the session goes on with keys that only the
/// chip with the right static key can have.
enum ChipAuthentication {
  private static let step = Step.authenticateChip

  /// Runs it, and lets the card answer once under the new keys.
  ///
  /// - Parameter channel: has new keys afterwards when the card accepted; any failed answer closes it.
  static func run(
    _ offer: ChipAuthenticationOffer,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> ChipAuthenticationResult {
    let agreement = try CardError.crypto(at: step) { () throws(CryptoError) in
      try Agreement.draw(for: offer, random: &random)
    }
    let status: StatusWord
    do throws(CommandError) {
      status = try show(agreement.publicValue, offer, through: &channel)
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
      _ = try channel.send(.select(LDSFile.group(.dg14).reference))
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
    _ publicValue: [UInt8], _ offer: ChipAuthenticationOffer,
    through channel: inout SecureChannel<some CardChannel & ~Copyable>
  ) throws(CommandError) -> StatusWord {
    let number = offer.keyIdentifier.map { TLV.encode(0x84, $0.bytes) } ?? []
    if offer.protocol.cipher == .tripleDES {
      let template = TLV.encode(0x91, publicValue) + number
      let status = try channel.sendWhole(
        CommandAPDU(0x22, 0x41, 0xA6, data: template)
      ).status
      if status == .success { return status }
    }
    let template = TLV.encode(0x80, offer.protocol.objectIdentifier) + number
    let status = try channel.send(CommandAPDU(0x22, 0x41, 0xA4, data: template)).status
    guard status == .success else { return status }
    return try channel.sendWhole(
      CommandAPDU(
        0x86, 0x00, 0x00, data: TLV.encode(0x7C, TLV.encode(0x80, publicValue)),
        expected: .upTo(256))
    ).status
  }
}

extension TravelDocument where Channel: ~Copyable {
  /// The most ways of chip authentication that are tried; each costs two commands or three.
  private static var mostOffers: Int { 4 }

  /// Lets the chip prove that it holds the private key to a static key of DG14.
  ///
  /// It means nothing unless DG14 itself is genuine: the report looks at both.
  ///
  /// - Parameters:
  ///   - dataGroup14: the file.
  ///   - random: where the ephemeral key comes from.
  public mutating func authenticateChip(
    with dataGroup14: [UInt8], random: inout some RandomSource
  ) throws(CardError) -> ChipAuthenticationResult {
    report(.authenticateChip)
    guard let infos = try? SecurityInfos(dataGroup14: dataGroup14) else { return .notOffered }
    guard !infos.chipAuthenticationKeys.isEmpty else { return .notOffered }
    let offers = try CardError.crypto(at: .authenticateChip) { () throws(CryptoError) in
      try ChipAuthenticationOffer.all(in: infos)
    }
    // One way that is refused does not speak against the next.
    var result = ChipAuthenticationResult.unsupported
    for offer in offers.prefix(Self.mostOffers) {
      result = try ChipAuthentication.run(offer, through: &channel, random: &random)
      guard case .refused = result else { break }
    }
    return result
  }
}

extension ChipMappingProof {
  /// Compares with the static keys that EF.CardSecurity names. Whether that file is genuine is for the report.
  func judge(cardSecurity file: [UInt8]) -> ChipAuthenticationResult {
    do {
      let infos = try SecurityInfos(CardSecurity(file: file).securityInfos)
      let offers = try ChipAuthenticationOffer.all(in: infos)
      guard !offers.isEmpty else { return .notOffered }
      if offers.contains(where: { isConfirmed(by: $0.publicValue, in: $0.domain) }) {
        return .proved
      }
      // The key in use may be one of those that cannot be calculated with.
      let isComplete = Set(offers.map(\.publicValue)).count == infos.chipAuthenticationKeys.count
      return isComplete ? .failed : .unsupported
    } catch {
      // A file or a key that is not understood says nothing of the chip.
      return .unsupported
    }
  }
}
