extension IdentityCard where Channel: ~Copyable {
  /// Opens the secure channel: key agreement, then device authentication of both sides (IAS ECC §5.2.3); then asks in
  /// it whether the State vouches for the chip, and for the tries left of the PIN, so that the last one is not spent
  /// unawares.
  ///
  /// A card that ends the channel because of a length, or at a question that it need not answer, gets it opened once
  /// more without: no code was sent yet.
  ///
  /// - Parameters:
  ///   - check: whether the State must vouch for the chip.
  ///   - random: where the ephemeral secret and the challenges come from.
  /// - Throws: `CardError`; the channel is then closed.
  public consuming func authenticate(
    checking check: GenuineCheck = .standard, random: inout some RandomSource
  ) throws(CardError) -> AuthenticatedCard<Channel> {
    AuthenticatedCard(try openChannel(before: .pin, checking: check, random: &random))
  }

  /// The same with the system's random source.
  public consuming func authenticate(
    checking check: GenuineCheck = .standard
  ) throws(CardError) -> AuthenticatedCard<Channel> {
    var random = SystemRandom()
    return try authenticate(checking: check, random: &random)
  }

  /// The same for the PUK, whose tries are asked for instead.
  public consuming func authenticateForPUK(
    checking check: GenuineCheck = .standard
  ) throws(CardError) -> CardAwaitingPUK<Channel> {
    var random = SystemRandom()
    return CardAwaitingPUK(try openChannel(before: .puk, checking: check, random: &random))
  }

  /// What `authenticate` does, for either code.
  package consuming func openChannel(
    before kind: CardError.CodeKind, checking check: GenuineCheck, random: inout some RandomSource
  ) throws(CardError) -> ProvenChannel<Channel> {
    try selectCIE()
    report(.readDomainParameters)
    let parameters = try DomainParameters.read(through: &channel, family: family)
    try parameters.validate()
    let keyFile = try read(.deviceKey)
    guard let chipKey = RSAPublicKey(cuttingPKCS1: keyFile),
      chipKey.modulus.bitLength == AuthorityKey.modulusLength * 8
    else { throw CardError(.readDeviceKey, .unsafeParameters(.deviceKey)) }
    report(.readAuthorityKey)
    let authority = try AuthorityKey.read(through: &channel)
    let request = ChannelRequest(
      parameters: parameters, chipKey: chipKey, keyFile: keyFile, authority: authority,
      kind: kind, check: check, report: report)
    return try request.open(over: channel, random: &random)
  }

  /// The tries left of PIN and PUK, as far as the card tells: it does so inside the secure channel only, which this
  /// opens without any code.
  public consuming func readTries(
    random: inout some RandomSource
  ) throws(CardError) -> (pin: Int?, puk: Int?) {
    var card = try authenticate(checking: .skipped, random: &random)
    let pin = card.triesLeft
    return (pin, try card.readTries(of: .puk))
  }
}

/// What it takes to open the secure channel, and what is asked in it.
struct ChannelRequest: Sendable {
  let parameters: DomainParameters
  let chipKey: RSAPublicKey
  /// EF.Int.Kpub as read, which holds `chipKey`.
  let keyFile: [UInt8]
  let authority: AuthorityKey
  let kind: CardError.CodeKind
  let check: GenuineCheck
  let report: @Sendable (CardError.Step) -> Void
  /// What the card is not asked again, because it ended the channel over it.
  fileprivate var omitted: Set<CardError.Step> = []

  /// Opens the channel, in one attempt or a few: each but the last gives something up.
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
      return ProvenChannel(
        over: secure, before: kind, triesLeft: answers.triesLeft, finding: answers.finding,
        report: report)
    }
  }

  private struct Answers {
    let finding: GenuineCheck.Finding
    let triesLeft: Int?
  }

  private func ask(_ secure: inout SecureChannel<some CardChannel & ~Copyable>)
    throws(CardError) -> Answers
  {
    let finding = try check.judge(
      securityObject: readSecurityObject(through: &secure), deviceKey: keyFile)
    var tries: Int?
    if !omitted.contains(.readTries) {
      report(.readTries)
      tries = try secure.readTries(of: kind)
    }
    return Answers(finding: finding, triesLeft: tries)
  }

  /// EF.SOD inside the channel: what is read in long answers here will be so after the PIN.
  private func readSecurityObject(
    through secure: inout SecureChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> [UInt8]? {
    if case .skipped = check { return nil }
    guard !omitted.contains(.readSecurityObject) else { return nil }
    report(.readSecurityObject)
    return try FileReader.readIfGiven(.securityObject, through: &secure)
  }

  private func reopen<Channel: CardChannel & ~Copyable>(
    _ plain: consuming PlainChannel<Channel>, after error: CardError,
    random: inout some RandomSource
  ) throws(CardError) -> ProvenChannel<Channel> {
    if plain.lengths.isExtended, error.isPerhapsOfLength {
      plain.stepDown()
      return try open(over: plain, random: &random)
    }
    guard case .channelEnded = error.reason,
      [.readTries, .readSecurityObject].contains(error.step), !omitted.contains(error.step)
    else { throw error }
    var request = self
    request.omitted.insert(error.step)
    return try request.open(over: plain, random: &random)
  }
}

extension CardError {
  /// Whether a command failed in a way that its length may have caused.
  fileprivate var isPerhapsOfLength: Bool {
    switch reason {
    case .channelEnded, .refused(.wrongLength), .channel(.lengthNotCarried): true
    default: false
    }
  }
}
