/// Basic Access Control (Doc 9303-11 §4.3): keys derived from the machine readable zone; the older
/// protocol, without extended length and without protection against an attacker who records a
/// session and tries all zones.
enum BasicAccess {
  private static let step = CardError.Step.openAccess
  private static let challengeLength = 8
  private static let keyMaterialLength = 16

  struct Session: ~Copyable {
    /// Two-key 3DES.
    let keys: SessionKeys
    /// The last four bytes of both challenges.
    let counter: SendSequenceCounter

    /// The initial counter; a function for the reason given at `PACE.Session.facts`.
    borrowing func startingCounter() -> SendSequenceCounter { counter }
  }

  /// Runs it in the selected travel-document application.
  ///
  /// - Parameter code: of kind MRZ.
  /// - Throws: `.wrongAccessCode` if the card does not accept our cryptogram: a wrong zone and a
  ///   wrong card are indistinguishable.
  static func run(
    code: borrowing AccessCode, through channel: inout some CommandChannel & ~Copyable,
    random: inout some RandomSource
  ) throws(CardError) -> Session {
    let cardChallenge = try channel.require(
      .getChallenge(challengeLength), at: step)
    guard cardChallenge.count == challengeLength else {
      throw CardError(step, .malformed(.length))
    }
    let terminal = try CardError.crypto(at: step) { () throws(CryptoError) in
      let challenge = try random.bytes(challengeLength)
      let material = try Secret(randomCount: keyMaterialLength, from: &random)
      return Contribution(challenge: challenge, material: material)
    }
    let documentKeys = try CardError.crypto(at: step) { () throws(CryptoError) in
      // The key seed is the first half of the hash, which PACE uses whole (§4.3.2).
      let seed = Secret(count: keyMaterialLength) { buffer in
        code.password.withBytes { buffer.copyBytes(from: $0.prefix(buffer.count)) }
      }
      return try SessionKeys.derive(from: seed, for: .tripleDES, hash: .sha1)
    }
    let cryptogram = try CardError.crypto(at: step, try seal(terminal, cardChallenge, documentKeys))
    let response = try channel.send(
      .externalAuthenticate(cryptogram, expected: .upTo(cryptogram.count)),
      at: step)
    guard response.status == .success else { throw CardError(step, reason(response.status)) }
    let opened = try open(response.data, documentKeys)
    let isAnswer = opened.withBytes {
      $0.prefix(2 * challengeLength).elementsEqual(cardChallenge + terminal.challenge)
    }
    guard isAnswer else { throw CardError(step, .chipNotAuthentic) }
    let seed = Secret(count: keyMaterialLength) { buffer in
      terminal.material.withBytes { own in
        opened.withBytes { card in
          for (index, pair) in zip(own, card.suffix(keyMaterialLength)).enumerated() {
            buffer[index] = pair.0 ^ pair.1
          }
        }
      }
    }
    let keys = try CardError.crypto(
      at: step, try SessionKeys.derive(from: seed, for: .tripleDES, hash: .sha1))
    return Session(
      keys: keys,
      counter: SendSequenceCounter(
        cardChallenge: cardChallenge, terminalChallenge: terminal.challenge))
  }

  /// RND.IFD and K.IFD.
  private struct Contribution: ~Copyable {
    let challenge: [UInt8]
    let material: Secret
  }

  /// E(RND.IFD ‖ RND.IC ‖ K.IFD) ‖ MAC (§4.3.3.1 step 2).
  private static func seal(
    _ terminal: borrowing Contribution, _ cardChallenge: [UInt8], _ keys: borrowing SessionKeys
  ) throws(CryptoError) -> [UInt8] {
    let clear = Secret(count: 2 * challengeLength + keyMaterialLength) { buffer in
      terminal.material.withBytes { material in
        buffer.copyBytes(from: terminal.challenge + cardChallenge + material)
      }
    }
    let cryptogram = try TripleDES.encrypt(secret: clear, key: keys.encryption)
    return try cryptogram + mac(over: cryptogram, keys)
  }

  /// Checks the MAC first, then decrypts: RND.IC ‖ RND.IFD ‖ K.IC.
  private static func open(
    _ data: [UInt8], _ keys: borrowing SessionKeys
  ) throws(CardError) -> Secret {
    let length = 2 * challengeLength + keyMaterialLength
    guard data.count == length + RetailMAC.length else {
      throw CardError(step, .malformed(.length))
    }
    let cryptogram = [UInt8](data.prefix(length))
    do throws(CryptoError) {
      guard ConstantTime.equal(try mac(over: cryptogram, keys), [UInt8](data.suffix(8))) else {
        throw CryptoError("BAC", reason: "MAC")
      }
      return try TripleDES.decryptSecret(cryptogram, key: keys.encryption)
    } catch {
      throw CardError(step, .chipNotAuthentic)
    }
  }

  private static func mac(
    over cryptogram: [UInt8], _ keys: borrowing SessionKeys
  ) throws(CryptoError) -> [UInt8] {
    var input = cryptogram
    BlockPadding.pad(&input, to: TripleDES.blockLength)
    return try RetailMAC.compute(input, key: keys.authentication)
  }

  /// The reason for a refusal; cards differ in the status word for wrong keys (Doc 9303-11 §4.3.3.2
  /// leaves it open).
  private static func reason(_ status: StatusWord) -> CardError.Reason {
    switch status {
    case .authenticationFailed, .securityStatusNotSatisfied, .conditionsNotSatisfied,
      .secureMessagingObjectIncorrect:
      .wrongAccessCode(.mrz, triesLeft: nil)
    case .triesLeft(let tries): .wrongAccessCode(.mrz, triesLeft: Int(tries))
    default: .refused(status)
    }
  }
}
