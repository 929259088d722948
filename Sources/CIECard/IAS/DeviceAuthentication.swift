/// Mutual device authentication with privacy protection (IAS ECC §5.2.3, §7.2.4–7.2.6), every command under
/// secure messaging.
enum DeviceAuthentication {
  private static let challengeLength = 8
  private static let serialNumberLength = 8

  /// MSE SET, digital signature template: algorithm 41 (ISO 9796-2, SHA-256), key 84.
  static let selectAuthorityKey = CommandAPDU.setSecurityEnvironment(
    .certificateVerification, [0x80, 0x01, 0x41, 0x83, 0x01, 0x84])

  /// Makes the card verify the terminal's certificate, then selects the key in it.
  static func presentCertificate(
    to channel: inout some CommandChannel & ~Copyable, authority: AuthorityKey
  ) throws(CardError) {
    let step = CardError.Step.presentCertificate
    try channel.require(selectAuthorityKey, at: step)
    let certificate = try CardError.crypto(
      at: step, try TerminalCertificate(authority: authority).signed())
    try channel.require(.verifyCertificate(certificate), at: step)
    // MSE SET with the holder reference. All chips accept P2 = A4, those of ST do not accept B6.
    try channel.require(
      .setSecurityEnvironment(
        .externalAuthentication, TLV.encode(0x83, TerminalCertificate.holderReference)),
      at: step)
  }

  /// EXTERNAL AUTHENTICATE: the terminal signs its view of the key agreement and the card's challenge.
  ///
  /// - Returns: RND.ICC, the card's challenge.
  static func proveTerminal(
    to channel: inout some CommandChannel & ~Copyable, transcript: KeyAgreementTranscript,
    random: inout some RandomSource
  ) throws(CardError) -> [UInt8] {
    let step = CardError.Step.authenticateTerminal
    let challenge = try channel.require(
      .getChallenge(challengeLength), at: step)
    guard challenge.count == challengeLength else { throw CardError(step, .malformed(.length)) }
    let signature = try CardError.crypto(at: step) { () throws(CryptoError) in
      let padding = try random.bytes(
        RecoverableSignature.messageLength(modulus: TerminalKey.modulus.count))
      return try TerminalKey.privateKey.apply(
        RecoverableSignature.block(
          recovered: padding,
          hashing: padding + transcript.terminalValue + TerminalKey.serialNumber + challenge
            + transcript.cardValue + transcript.parameterBytes))
    }
    try channel.require(
      .externalAuthenticate(TerminalKey.serialNumber + signature), at: step)
    return challenge
  }

  /// MSE SET, authentication template: private key 82, algorithm 9B. All public hosts name the key first; IAS ECC
  /// §10.6.2.1 names the algorithm first and §9.9.2 calls the order fixed.
  static func selectDeviceKey(
    through channel: inout some CommandChannel & ~Copyable, at step: CardError.Step
  ) throws(CardError) {
    let (key, algorithm): ([UInt8], [UInt8]) = ([0x84, 0x01, 0x82], [0x80, 0x01, 0x9B])
    let response = try channel.send(
      .setSecurityEnvironment(.authentication, key + algorithm), at: step)
    guard response.status == .wrongData else {
      guard response.status == .success else { throw CardError(step, .refused(response.status)) }
      return
    }
    try channel.require(.setSecurityEnvironment(.authentication, algorithm + key), at: step)
  }

  /// INTERNAL AUTHENTICATE with key 82: the chip signs its view of the key agreement, and our
  /// challenge.
  ///
  /// - Returns: RND.IFD, the terminal's challenge.
  /// - Throws: `.chipNotAuthentic` if the signature does not open to the right block or its hash
  ///   does not cover exactly the exchanged values.
  static func proveChip(
    through channel: inout some CommandChannel & ~Copyable, key: RSAPublicKey,
    transcript: KeyAgreementTranscript, random: inout some RandomSource
  ) throws(CardError) -> [UInt8] {
    let step = CardError.Step.authenticateChip
    try selectDeviceKey(through: &channel, at: step)
    let challenge = try CardError.crypto(at: step, try random.bytes(challengeLength))
    let answer = try channel.require(
      .internalAuthenticate(challenge, expected: .whole), at: step)
    guard answer.count == serialNumberLength + AuthorityKey.modulusLength else {
      throw CardError(step, .malformed(.length))
    }
    let serialNumber = [UInt8](answer.prefix(serialNumberLength))
    let signature = [UInt8](answer.dropFirst(serialNumberLength))
    let isProven = try CardError.crypto(at: step) { () throws(CryptoError) in
      try CryptoError.heedingMemory("device authentication") { () throws(CryptoError) in
        guard let opened = RecoverableSignature.open(signature, key: key) else { return false }
        let hash = try HashAlgorithm.sha256.hash(
          opened.recovered, transcript.cardValue, serialNumber, challenge,
          transcript.terminalValue, transcript.parameterBytes)
        return ConstantTime.equal(hash, opened.hash)
      }
    }
    guard isProven else { throw CardError(step, .chipNotAuthentic) }
    return challenge
  }
}
