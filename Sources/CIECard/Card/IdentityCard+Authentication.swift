extension IdentityCard where Channel: ~Copyable {
  /// Opens the secure channel: key agreement, then device authentication of both sides (IAS ECC
  /// §5.2.3). Then checks in it that the State vouches for the chip, and reads the remaining tries
  /// of the PIN, so that the last one is not spent unknowingly.
  ///
  /// If the card ends the channel because of a command's length, or over the tries, which it need
  /// not report, the channel is opened again with short commands, or without reading the tries: no
  /// code was sent yet. The genuineness check is never left out.
  ///
  /// - Parameters:
  ///   - check: the genuineness check of the chip.
  ///   - tries: the tries reported by cards; one value for all cards to which a program sends
  ///     codes.
  ///   - random: the source of the ephemeral secret and the challenges.
  /// - Throws: `CardError`: `.notGenuine`, `.genuinenessUnknown`, and others; the channel is then
  ///   closed.
  public consuming func authenticate(
    checking check: GenuineCheck = .standard, remembering tries: KnownTries = KnownTries(),
    random: inout some RandomSource
  ) throws(CardError) -> AuthenticatedCard<Channel> {
    AuthenticatedCard(
      try openChannel(before: .pin, checking: check, remembering: tries, random: &random))
  }

  /// Opens the channel with the system's random source.
  public consuming func authenticate(
    checking check: GenuineCheck = .standard, remembering tries: KnownTries = KnownTries()
  ) throws(CardError) -> AuthenticatedCard<Channel> {
    var random = SystemRandom()
    return try authenticate(checking: check, remembering: tries, random: &random)
  }

  /// Opens the channel for the PUK, whose remaining tries are read instead.
  public consuming func authenticateForPUK(
    checking check: GenuineCheck = .standard, remembering tries: KnownTries = KnownTries()
  ) throws(CardError) -> CardAwaitingPUK<Channel> {
    var random = SystemRandom()
    return CardAwaitingPUK(
      try openChannel(before: .puk, checking: check, remembering: tries, random: &random))
  }

  /// Implements `authenticate` for either code.
  package consuming func openChannel(
    before kind: CardError.CodeKind, checking check: GenuineCheck, remembering tries: KnownTries,
    random: inout some RandomSource
  ) throws(CardError) -> ProvenChannel<Channel> {
    try selectCIE()
    report(.readDomainParameters)
    let parameters = try DomainParameters.read(through: &channel, family: family)
    try parameters.validate()
    let keyFile = try mapError(try read(.deviceKey)) { check.refusal(because: $0) }
    guard let chipKey = RSAPublicKey(cuttingPKCS1: keyFile),
      chipKey.modulus.bitLength == AuthorityKey.modulusLength * 8
    else {
      throw .unparsed(.unsafeParameters(.deviceKey), at: .readDeviceKey)
    }
    report(.readAuthorityKey)
    let authority = try AuthorityKey.read(through: &channel)
    let request = ChannelRequest(
      parameters: parameters, chipKey: chipKey, keyFile: keyFile, authority: authority,
      kind: kind, check: check, tries: tries, report: report)
    return try request.open(over: channel, random: &random)
  }

  /// Reads the remaining tries of PIN and PUK, as far as the card reports them: it does so only
  /// inside the secure channel, which this opens without any code.
  public consuming func readTries(
    remembering tries: KnownTries = KnownTries(), random: inout some RandomSource
  ) throws(CardError) -> (pin: Int?, puk: Int?) {
    var card = try authenticate(checking: .skipped, remembering: tries, random: &random)
    let pin = card.triesLeft
    return (pin, try card.readTries(of: .puk))
  }
}

/// The inputs for opening the secure channel, and the requests to be made in it.
struct ChannelRequest: Sendable {
  let parameters: DomainParameters
  let chipKey: RSAPublicKey
  /// EF.Int.Kpub as read, which contains `chipKey`.
  let keyFile: [UInt8]
  let authority: AuthorityKey
  let kind: CardError.CodeKind
  let check: GenuineCheck
  let tries: KnownTries
  let report: @Sendable (CardError.Step) -> Void
  /// True to leave out the tries, because the card ended the channel over them.
  fileprivate var omitsTries = false

  /// Opens the channel, in several attempts if necessary, each with fewer demands.
  func open<Channel: CardChannel & ~Copyable>(
    over plain: consuming PlainChannel<Channel>, random: inout some RandomSource
  ) throws(CardError) -> ProvenChannel<Channel> {
    report(.agreeKeys)
    let unproven = try KeyAgreement.run(over: plain, parameters: parameters, random: &random)
    switch unproven.authenticate(
      chipKey: chipKey, authority: authority, random: &random, report: report)
    {
    case .failed(let error, let plain):
      return try reopen(plain, after: error, random: &random)
    case .proven(var secure):
      let answers: Answers
      do throws(CardError) { answers = try ask(&secure) } catch {
        return try reopen(secure.endSession(), after: error, random: &random)
      }
      // Only now, when the channel is final, so that a person is asked once.
      try check.admit(answers.finding)
      return ProvenChannel(
        over: secure, before: CodeTries(answers.triesLeft, of: kind, on: chipKey, in: tries),
        finding: answers.finding, report: report)
    }
  }

  private struct Answers {
    let finding: GenuineCheck.Finding
    let triesLeft: Int?
  }

  private func ask(_ secure: inout SecureChannel<some CardChannel & ~Copyable>)
    throws(CardError) -> Answers
  {
    let finding = try judge(&secure)
    var tries: Int?
    if !omitsTries {
      report(.readTries)
      tries = try secure.readTries(of: kind)
    }
    return Answers(finding: finding, triesLeft: tries)
  }

  /// Judges by EF.SOD as read inside the channel: if long responses work here, they will also work
  /// after the PIN.
  private func judge(
    _ secure: inout SecureChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> GenuineCheck.Finding {
    if case .skipped = check { return .skipped }
    report(.readSecurityObject)
    let securityObject = try FileReader.read(.securityObject, through: &secure)
    return try check.judge(securityObject: securityObject, deviceKey: keyFile)
  }

  private func reopen<Channel: CardChannel & ~Copyable>(
    _ plain: consuming PlainChannel<Channel>, after error: CardError,
    random: inout some RandomSource
  ) throws(CardError) -> ProvenChannel<Channel> {
    if plain.lengths.isExtended, error.isPerhapsOfLength {
      plain.stepDown()
      return try open(over: plain, random: &random)
    }
    guard case .channelEnded = error.reason, error.step == .readTries, !omitsTries else {
      throw check.refusal(because: error)
    }
    var request = self
    request.omitsTries = true
    return try request.open(over: plain, random: &random)
  }
}

extension CardError {
  /// True if the command may have failed because of its length.
  fileprivate var isPerhapsOfLength: Bool {
    switch reason {
    case .channelEnded, .refused(.wrongLength), .channel(.lengthNotCarried): true
    default: false
    }
  }
}
