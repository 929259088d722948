public import Primitives

/// The judgement of evidence by its receiver: of the request that it answers, and of the sides of the card in it.
///
/// It asks no card and no reader: the same evidence, expectation and time give the same report.
public struct EvidenceReport: Sendable, Equatable {
  /// The points about the request: the receiver's challenge, its name, the age, the terminal, the parts that it requires; those
  /// that the evidence or the receiver brings up. The challenge is always there.
  public let points: [AuthenticityReport.Point]
  /// The travel document, if evidence of it is there.
  public let document: AuthenticityReport?
  /// The IAS side, if evidence of it is there.
  public let ias: AuthenticityReport?

  /// The receiver's side of the request.
  public struct Expectation: Sendable, Equatable {
    /// The challenge that it gave; without one nothing is proved, because the evidence may be of any time.
    public var challenge: [UInt8]?
    /// Its own name, as the request had it. Evidence for a name proves nothing to a receiver that does not state its own.
    public var audience: String?
    /// The most seconds since the evidence was begun, by the terminal's clock.
    public var mostSeconds: Int?
    /// The public key (SubjectPublicKeyInfo) of a terminal whose word it believes.
    public var terminalKey: [UInt8]?
    /// The parts without which nothing is proved to it. Otherwise one side of the card is enough, and the terminal chooses it.
    public var parts: Set<Part>

    /// An expectation of what the receiver knows; `nil` for what it does not.
    public init(
      challenge: [UInt8]? = nil, audience: String? = nil, mostSeconds: Int? = nil,
      terminalKey: [UInt8]? = nil, parts: Set<Part> = []
    ) {
      self.challenge = challenge
      self.audience = audience
      self.mostSeconds = mostSeconds
      self.terminalKey = terminalKey
      self.parts = parts
    }
  }

  /// The parts of evidence that a receiver can require.
  public enum Part: String, Sendable, CaseIterable {
    /// The travel document, with the holder's data.
    case document
    /// The IAS side, with the services number.
    case ias
    /// The signature of the holder's key, after the PIN.
    case holder
  }

  /// The outcome as a whole: false as soon as any point of it is, proved if the request and each side are.
  public var outcome: AuthenticityReport.Outcome {
    let sides = [document, ias].compactMap { $0 }.map(\.outcome)
    let all = sides + [requestOutcome]
    if all.contains(.false) { return .false }
    for case .knownFault(let fault) in sides {
      let isOnlyFault = all.allSatisfy { $0 == .proved || $0 == .knownFault(fault) }
      return isOnlyFault ? .knownFault(fault) : .couldNotCheck
    }
    return !sides.isEmpty && all.allSatisfy { $0 == .proved } ? .proved : .couldNotCheck
  }

  /// The outcome of the points about the request.
  public var requestOutcome: AuthenticityReport.Outcome {
    let verdicts = points.map(\.verdict)
    if verdicts.contains(where: { if case .false = $0 { true } else { false } }) { return .false }
    // A signature for which the receiver did not ask takes nothing away.
    let isProved = verdicts.allSatisfy {
      $0 == .proved || $0 == .couldNotCheck(.terminalNotNamed)
    }
    return isProved ? .proved : .couldNotCheck
  }

  /// Judges evidence.
  ///
  /// - Parameters:
  ///   - evidence: as the receiver got it.
  ///   - trust: the trusted CSCA certificates; without them the chains could not be checked.
  ///   - expectation: what the receiver asked for.
  ///   - time: the time of judging.
  ///   - earliest: if that is the time of a clock, a time that the present cannot precede.
  public init(
    judging evidence: CardEvidence, trust: TrustStore?, expecting expectation: Expectation,
    at time: UTCTime, notBefore earliest: UTCTime? = nil
  ) {
    let ias = evidence.sideWithCertificate.map {
      AuthenticityReport(judging: $0, trust: trust, at: time, notBefore: earliest)
    }
    let points = AuthenticityReport.heedingMemory {
      Self.points(of: evidence, ias, expectation, at: time)
    }
    let isTerminalTrusted = points.contains { $0.kind == .terminal && $0.verdict == .proved }
    self.points = points
    document = evidence.document.map {
      AuthenticityReport(
        judging: $0.asSeen(byTrustedTerminal: isTerminalTrusted), trust: trust, at: time,
        isOfCIE: evidence.ias != nil, notBefore: earliest)
    }
    self.ias = ias
  }

  private static func points(
    of evidence: CardEvidence, _ ias: AuthenticityReport?, _ expectation: Expectation,
    at time: UTCTime
  ) -> [AuthenticityReport.Point] {
    func required(
      _ side: AuthenticityReport.Side, _ part: Part, _ isThere: Bool
    ) -> (AuthenticityReport.Kind, AuthenticityReport.Verdict?) {
      let verdict = isThere ? AuthenticityReport.Verdict.proved : .couldNotCheck(.notInEvidence)
      return (.requiredSide(side), expectation.parts.contains(part) ? verdict : nil)
    }
    let terminal = judgeTerminal(of: evidence, expectation.terminalKey)
    let isOfOneCard = evidence.document == nil || evidence.ias == nil
    let isTimeSigned = terminal == .proved || ias?[.challenge] == .proved
    let verdicts: [(AuthenticityReport.Kind, AuthenticityReport.Verdict?)] = [
      (.receiversChallenge, judgeChallenge(evidence, expectation.challenge)),
      (.audience, judgeAudience(evidence.request.audience, expectation.audience)),
      (
        .age,
        judgeAge(
          of: evidence.time, isSigned: isTimeSigned, at: time, atMost: expectation.mostSeconds)
      ),
      (
        .sameCard,
        isOfOneCard ? nil : terminal == .proved ? .proved : .couldNotCheck(.toldByTerminal)
      ),
      (
        .holder,
        evidence.holder.map { judgeHolder($0, of: evidence, ias) }
          ?? (expectation.parts.contains(.holder) ? .couldNotCheck(.notSigned) : nil)
      ),
      (.terminal, terminal),
      required(.travelDocument, .document, evidence.document != nil),
      required(.ias, .ias, evidence.ias != nil),
    ]
    return verdicts.compactMap { kind, verdict in
      verdict.map { AuthenticityReport.Point(kind: kind, verdict: $0) }
    }
  }

  private static func judgeChallenge(
    _ evidence: CardEvidence, _ expected: [UInt8]?
  ) -> AuthenticityReport.Verdict {
    guard let expected else { return .couldNotCheck(.challengeNotNamed) }
    guard !evidence.request.challenge.isEmpty else { return .couldNotCheck(.notInEvidence) }
    return evidence.request.challenge == expected ? .proved : .false(.otherChallenge)
  }

  private static func judgeAudience(
    _ stated: String?, _ expected: String?
  ) -> AuthenticityReport.Verdict? {
    guard let expected else { return stated.map { .couldNotCheck(.audienceNotNamed($0)) } }
    // By bytes: two spellings of one name in Unicode are two names.
    let isEqual = stated.map { $0.utf8.elementsEqual(expected.utf8) } ?? false
    return isEqual ? .proved : .false(.otherAudience(stated))
  }

  /// The most seconds by which a terminal's clock may be ahead of the receiver's.
  private static let mostSecondsAhead: Int64 = 120

  private static func judgeAge(
    of made: UTCTime?, isSigned: Bool, at time: UTCTime, atMost limit: Int?
  ) -> AuthenticityReport.Verdict? {
    guard let made else { return limit.map { _ in .couldNotCheck(.notInEvidence) } }
    let age = time.seconds - made.seconds
    if age < -mostSecondsAhead { return .couldNotCheck(.ofTheFuture(made: made)) }
    return limit.map { limit in
      guard age <= Int64(limit) else { return .couldNotCheck(.tooOld(made: made)) }
      return isSigned ? .proved : .couldNotCheck(.toldByTerminal)
    }
  }

  private static func judgeHolder(
    _ holder: CardEvidence.Holder, of evidence: CardEvidence, _ ias: AuthenticityReport?
  ) -> AuthenticityReport.Verdict {
    guard let certificate = try? Certificate(der: holder.certificate) else {
      return .false(.malformedFile)
    }
    guard let digest = try? evidence.holderDigest(),
      certificate.verify(
        signature: holder.signature, digest: digest.bytes, algorithm: digest.algorithm.hash)
    else { return .false(.signatureWrong) }
    let ofTheState: [AuthenticityReport.Kind] = [
      .signature, .signerChain, .issuingState, .hash(.certificate),
    ]
    let isSigned = ofTheState.allSatisfy { ias?[$0] == .proved }
    return isSigned ? .proved : .couldNotCheck(.keyNotProved)
  }

  private static func judgeTerminal(
    of evidence: CardEvidence, _ expected: [UInt8]?
  ) -> AuthenticityReport.Verdict? {
    guard let terminal = evidence.terminal else {
      return expected == nil ? nil : .couldNotCheck(.notSigned)
    }
    guard let key = SubjectPublicKey(terminal.key) else { return .false(.malformedFile) }
    guard key.verify(terminal.signature, over: evidence.terminalStatement) else {
      return .false(.signatureWrong)
    }
    guard let expected else { return .couldNotCheck(.terminalNotNamed) }
    return expected == terminal.key ? .proved : .false(.otherTerminal)
  }
}

extension CardEvidence {
  /// The IAS side, with the holder's certificate as the file of it that only the PIN opens.
  fileprivate var sideWithCertificate: AuthenticityReport.Evidence? {
    var side = ias
    side?.files[.certificate] = holder?.certificate
    return side
  }
}

extension AuthenticityReport.Evidence.Document {
  /// The evidence with the terminal's own word on chip authentication, if that is believed.
  fileprivate func asSeen(byTrustedTerminal isTrusted: Bool) -> Self {
    guard !isTrusted, [.proved, .provedByMapping].contains(chipAuthentication) else { return self }
    var evidence = self
    evidence.chipAuthentication = .toldByTerminal
    return evidence
  }
}
