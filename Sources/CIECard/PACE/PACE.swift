/// Password Authenticated Connection Establishment (Doc 9303-11 §4.4; BSI TR-03110-2 §3.2): both
/// sides prove that they know the same password, without revealing it, and get session keys.
enum PACE {
  /// A variant that the card announces and this program supports.
  struct Selection: Sendable {
    /// As announced.
    let info: PACEInfo
    let domain: AgreementDomain
    /// True if MSE:Set AT must name the parameters, because the card has several for this protocol.
    let namesParameters: Bool
  }

  /// Outcome of a run without errors.
  enum Outcome: ~Copyable {
    /// Both tokens are right.
    case opened(Session)
    /// The card refused our token with this status word: the password is not the card's.
    case wrongPassword(StatusWord, secretBeginsWithZero: Bool)
  }

  struct Session: ~Copyable {
    /// The keys of the new channel; its counter begins with zero.
    let keys: SessionKeys
    let access: AccessCode.AccessProtocol
    /// With chip-authentication mapping, the proof that EF.CardSecurity must still confirm.
    let chipProof: ChipMappingProof?

    /// Facts needed when the keys are taken over. A borrowing function, because a property that
    /// holds a reference must not be read from a value that is consumed afterwards (Swift 6.3 frees
    /// it too early).
    borrowing func facts() -> (access: AccessCode.AccessProtocol, chipProof: ChipMappingProof?) {
      (access, chipProof)
    }
  }

  private static let step = CardError.Step.openAccess

  /// MSE:Set AT (Doc 9303-11 §4.4.4.1).
  ///
  /// - Returns: the card's answer; 63Cx has the remaining tries of a PIN.
  static func select(
    _ selection: Selection, for kind: AccessCode.Kind,
    through channel: inout PlainChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> StatusWord {
    let template =
      TLV.encode(0x80, selection.info.protocol.objectIdentifier)
      + TLV.encode(0x83, [kind.reference])
    let number = selection.info.parameterIdentifier.map {
      TLV.encode(0x84, [UInt8(truncatingIfNeeded: $0)])
    }
    let named = CommandAPDU.setSecurityEnvironment(
      .mutualAuthentication, template + (number ?? []))
    guard !selection.namesParameters else { return try channel.send(named, at: step).status }
    let unnamed = CommandAPDU.setSecurityEnvironment(.mutualAuthentication, template)
    let status = try channel.send(unnamed, at: step).status
    switch status {
    // Some cards require the parameters to be named although there is only one set.
    case .wrongData, .wrongParameters, .wrongLengthForParameters, .referencedDataNotFound,
      .wrongOffset where number != nil:
      return try channel.send(named, at: step).status
    default:
      return status
    }
  }

  /// The four steps of GENERAL AUTHENTICATE (Doc 9303-11 §4.4.4.2), after a successful MSE:Set AT.
  static func run(
    _ selection: Selection, code: borrowing AccessCode,
    through channel: inout PlainChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> Outcome {
    let cipher = selection.info.protocol.cipher
    let domain = selection.domain
    let cryptogram = try GeneralAuthenticate.send(nil, expecting: 0x80, through: &channel)
    let nonce = try decrypt(cryptogram, with: code, cipher: cipher)
    let mapped = try map(nonce, selection, through: &channel, random: &random)

    let key = try CardError.crypto(
      at: step, try EphemeralKey.generate(in: domain, generator: mapped.generator, random: &random))
    let cardValue = try GeneralAuthenticate.send(
      TLV.encode(0x83, key.publicValue), expecting: 0x84, through: &channel)
    try check(cardValue, isNot: key.publicValue, in: domain)
    let secret = try CardError.crypto(at: step, try domain.sharedSecret(cardValue, key.scalar))
    let keys = try CardError.crypto(
      at: step, try SessionKeys.derive(from: secret, for: cipher, hash: cipher.derivationHash))
    let token = try self.token(over: cardValue, selection, keys)
    let answer = try GeneralAuthenticate.sendLast(TLV.encode(0x85, token), through: &channel)
    guard answer.status == .success else {
      return .wrongPassword(
        answer.status, secretBeginsWithZero: secret.withBytes { $0.first == 0 })
    }
    let objects = try GeneralAuthenticate.contents(of: answer.data)
    let expected = try self.token(over: key.publicValue, selection, keys)
    guard let shown = objects.first, shown.tag == 0x86,
      ConstantTime.equal(shown.bytes, expected)
    else { throw CardError(step, .chipNotAuthentic) }
    var proof: ChipMappingProof?
    if selection.info.protocol.mapping == .chipAuthentication {
      proof = try ChipMappingProof(objects, mappingValue: mapped.cardValue, keys: keys)
    }
    return .opened(
      Session(
        keys: keys, access: .pace(name: selection.info.protocol.name), chipProof: proof))
  }

  /// s (Doc 9303-11 §4.4.3.3): decrypted with the key of the password, right or wrong.
  private static func decrypt(
    _ cryptogram: [UInt8], with code: borrowing AccessCode, cipher: SessionCipher
  ) throws(CardError) -> Secret {
    // CIEs have been seen with 8 and with 16 bytes; more than 32 are never needed, but the standard
    // sets no limit.
    guard (1...64).contains(cryptogram.count), cryptogram.count % cipher.blockLength == 0 else {
      throw CardError(step, .malformed(.length))
    }
    return try CardError.crypto(at: step) { () throws(CryptoError) in
      let key = try SessionKeys.derivePasswordKey(from: code.password, for: cipher)
      return try cipher.decryptSecret(cryptogram, key: key)
    }
  }

  /// The mapped generator, and the card's public value used for it.
  private struct Mapped {
    let generator: [UInt8]
    let cardValue: [UInt8]
  }

  private static func map(
    _ nonce: borrowing Secret, _ selection: Selection,
    through channel: inout PlainChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> Mapped {
    let domain = selection.domain
    switch selection.info.protocol.mapping {
    case .generic, .chipAuthentication:
      let key = try CardError.crypto(
        at: step,
        try EphemeralKey.generate(in: domain, generator: domain.generator, random: &random))
      let cardValue = try GeneralAuthenticate.send(
        TLV.encode(0x81, key.publicValue), expecting: 0x82, through: &channel)
      try check(cardValue, isNot: key.publicValue, in: domain)
      let generator = try mappedGenerator(
        try NonceMapping.generic(nonce, cardValue: cardValue, own: key, in: domain))
      return Mapped(generator: generator, cardValue: cardValue)
    case .integrated:
      let cipher = selection.info.protocol.cipher
      let own = try CardError.crypto(
        at: step, try Secret(randomCount: cipher.keyLength, from: &random))
      let sent = own.withBytes { [UInt8]($0) }
      _ = try GeneralAuthenticate.send(
        TLV.encode(0x81, sent), expecting: 0x82, mayBeAbsent: true, through: &channel)
      let generator = try mappedGenerator(
        try NonceMapping.integrated(nonce, terminalNonce: own, cipher: cipher, in: domain))
      return Mapped(generator: generator, cardValue: [])
    }
  }

  /// Attributes errors of the calculation (a point at infinity, a trivial number) to the card.
  private static func mappedGenerator(
    _ mapped: @autoclosure () throws(CryptoError) -> [UInt8]?
  ) throws(CardError) -> [UInt8] {
    guard let generator = try? mapped() else {
      throw CardError(step, .unsafeParameters(.generator))
    }
    return generator
  }

  /// Refuses a public value that is trivial, outside the group, or our own reflected (Doc 9303-11
  /// §4.4.1 step 3 c).
  private static func check(
    _ cardValue: [UInt8], isNot own: [UInt8], in domain: AgreementDomain
  ) throws(CardError) {
    let isSafe = try CardError.crypto(at: step, try domain.isSafe(cardValue))
    guard isSafe, !domain.areEqual(cardValue, own) else {
      throw CardError(step, .unsafeParameters(.publicValue))
    }
  }

  private static func token(
    over publicValue: [UInt8], _ selection: Selection, _ keys: borrowing SessionKeys
  ) throws(CardError) -> [UInt8] {
    return try mapError(
      try AuthenticationToken.compute(
        over: publicValue, method: selection.domain.method,
        protocol: selection.info.protocol.objectIdentifier, keys: keys)
    ) { CardError(step, .crypto($0)) }
  }
}
