package import CIECard

/// Performs the journey of a trace's header over any channel and returns the findings: the one
/// implementation for the software card, a recorded conversation and a real reader.
package struct JourneyRunner {
  private let journey: Trace.Journey
  let time: UTCTime
  private let report: @Sendable (CardError.Step) -> Void
  private let check: GenuineCheck
  private let lengths: ChannelTraits.LengthPolicy
  private let observer: ClearMessage.Observer?

  /// - Parameters:
  ///   - journey: the function and its inputs.
  ///   - time: time at which certificates are judged, in seconds since 1970-01-01 UTC.
  ///   - check: the check of the chip before a code is sent to it; by default only the hashes are
  ///     compared, without trust anchors.
  ///   - lengths: the policy for extended-length APDUs.
  ///   - report: called as each step begins.
  ///   - observer: receives the messages of secure messaging in clear.
  package init(
    _ journey: Trace.Journey, at time: UTCTime, checking check: GenuineCheck? = nil,
    lengths: ChannelTraits.LengthPolicy = .automatic,
    report: @escaping @Sendable (CardError.Step) -> Void = { _ in },
    observer: ClearMessage.Observer? = nil
  ) {
    self.check = check ?? .required(nil, at: time, allowing: { _ in true })
    self.lengths = lengths
    self.journey = journey
    self.time = time
    self.report = report
    self.observer = observer
  }

  /// Performs the journey; the channel is consumed.
  ///
  /// - Returns: the findings, in order.
  package func run<Channel: CardChannel & ~Copyable>(
    over channel: consuming Channel, random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var card = IdentityCard(over: channel, lengths: lengths, report: report)
    if let observer { card.observe(observer) }
    switch journey {
    case .information:
      _ = try card.probeApplications()
      let number = try card.readServicesNumber().description
      _ = try card.readTries(random: &random)
      return [.servicesNumber(number)]
    case .servicesNumber:
      return try judge(&card, .servicesNumber, challenge: nil, anchors: [], random: &random)
    case .authenticity(let challenge, let anchors):
      return try judge(
        &card, .everythingFree, challenge: challenge, anchors: anchors, random: &random)
    case .serialNumber:
      return [.serialNumber(try card.readChipSerialNumber().bytes)]
    case .documentNumber(let pin):
      var verified = try verify(card, pin, &random)
      return [.documentNumber(try verified.readDocumentNumber().description)]
    case .certificate(let pin):
      var verified = try verify(card, pin, &random)
      return [.certificateHash(try Self.hash(verified.readCertificate().der, .readCertificate))]
    case .verifyPIN(let pin):
      _ = try verify(card, pin, &random)
      return []
    case .sign(let pin, let digests):
      var verified = try verify(card, pin, &random)
      return try Self.sign(digests, with: &verified)
    case .signatures(let signatory, let pin, let digests):
      guard signatory == .module else { return try certifyAndSign(card, pin, digests, &random) }
      let number = try card.readServicesNumber().description
      var channel = card.close()
      _ = try mapError(try channel.powerCycle()) { CardError(.selectRoot, .channel($0)) }
      var again = IdentityCard(over: channel, lengths: lengths, report: report)
      if let observer { again.observe(observer) }
      return [.servicesNumber(number)] + (try certifyAndSign(again, pin, digests, &random))
    case .changePIN(let pin, let newPIN):
      let authenticated = try card.authenticate(checking: check, random: &random)
      try authenticated.changePIN(from: Self.pin(pin), to: Self.pin(newPIN))
      return []
    case .unblockPIN(let puk, let newPIN):
      let authenticated = CardAwaitingPUK(
        try card.openChannel(
          before: .puk, checking: check, remembering: KnownTries(), random: &random))
      try authenticated.unblockPIN(with: Self.puk(puk), settingTo: Self.pin(newPIN))
      return []
    case .travelDocument(let visit):
      return try carryOut(visit, on: card, random: &random)
    case .documentAuthenticity(let code, let groups, let anchors):
      return try judge(card, code, Set(groups), anchors: anchors, random: &random)
    }
  }

  private func verify<Channel: CardChannel & ~Copyable>(
    _ card: consuming IdentityCard<Channel>, _ pin: String, _ random: inout some RandomSource
  ) throws(CardError) -> VerifiedCard<Channel> {
    let authenticated = try card.authenticate(checking: check, random: &random)
    return try authenticated.verify(Self.pin(pin))
  }

  private func certifyAndSign<Channel: CardChannel & ~Copyable>(
    _ card: consuming IdentityCard<Channel>, _ pin: String, _ digests: [Digest],
    _ random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var verified = try verify(card, pin, &random)
    let certificate = try Self.hash(verified.readCertificate().der, .readCertificate)
    return [.certificateHash(certificate)] + (try Self.sign(digests, with: &verified))
  }

  private static func sign<Channel: CardChannel & ~Copyable>(
    _ digests: [Digest], with card: inout VerifiedCard<Channel>
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var values: [Trace.Expectation.Value] = []
    for digest in digests {
      values.append(.signatureHash(try hash(card.sign(digest).signature, .sign)))
    }
    return values
  }

  private func judge<Channel: CardChannel & ~Copyable>(
    _ card: inout IdentityCard<Channel>, _ scope: AuthenticityReport.Evidence.Scope,
    challenge: [UInt8]?,
    anchors: [[UInt8]], random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    let evidence =
      if let challenge { try card.gatherEvidence(scope, challenge: challenge) } else {
        try card.gatherEvidence(scope, random: &random)
      }
    let trust = try Self.trustStore(anchors)
    let judgement = AuthenticityReport(judging: evidence, trust: trust, at: time)
    return (evidence.servicesNumber.map { [.servicesNumber($0.description)] } ?? [])
      + judgement.points.map { .report(point: $0.kind.word, verdict: $0.verdict.word) }
  }

  /// No store without anchors: the chain is then not checked.
  static func trustStore(_ anchors: [[UInt8]]) throws(CardError) -> TrustStore? {
    let certificates = try anchors.map { (anchor) throws(CardError) in
      try mapError(try Certificate(der: anchor)) {
        CardError(.readSecurityObject, .certificate($0))
      }
    }
    return try? TrustStore(certificates)
  }

  static func hash(_ bytes: [UInt8], _ step: CardError.Step) throws(CardError) -> [UInt8] {
    return try mapError(try HashAlgorithm.sha256.hash(bytes)) { CardError(step, .crypto($0)) }
  }

  private static func pin(_ digits: String) throws(CardError) -> PIN {
    return try mapError(try PIN(Secret([UInt8](digits.utf8)))) { (_: AccessCode.FormatError) in
      CardError(.verifyPIN, .wrongCode(.pin, triesLeft: nil))
    }
  }

  private static func puk(_ digits: String) throws(CardError) -> PUK {
    return try mapError(try PUK(Secret([UInt8](digits.utf8)))) { (_: AccessCode.FormatError) in
      CardError(.verifyPUK, .wrongCode(.puk, triesLeft: nil))
    }
  }
}

extension JourneyRunner {
  /// Performs the journey to its end, success or error; the channel is consumed.
  ///
  /// - Returns: the outcome, in the form in which a trace's header states the expected one.
  package func end<Channel: CardChannel & ~Copyable>(
    over channel: consuming Channel, random: inout some RandomSource
  ) -> Trace.Expectation {
    do throws(CardError) {
      return Trace.Expectation(.ok, values: try run(over: channel, random: &random))
    } catch {
      return Trace.Expectation(error)
    }
  }
}
