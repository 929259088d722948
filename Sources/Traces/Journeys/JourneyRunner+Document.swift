import CIECard

extension JourneyRunner {
  /// Findings at a travel document, in the order in which a trace lists them.
  private struct Findings {
    var access: [Trace.Expectation.Value] = []
    var hashes: [Trace.Expectation.Value] = []
    var chipAuthentication: [Trace.Expectation.Value] = []
    var activeAuthentication: [Trace.Expectation.Value] = []
    /// The data read so far, for the verification of active authentication.
    var evidence = AuthenticityReport.Evidence.Document()

    var values: [Trace.Expectation.Value] {
      access + hashes + chipAuthentication + activeAuthentication
    }
  }

  /// Opens the travel document, performs the tasks, and returns to the other side if the visit says
  /// so.
  func carryOut<Channel: CardChannel & ~Copyable>(
    _ visit: Trace.DocumentVisit, on card: consuming IdentityCard<Channel>,
    random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var document = try card.openTravelDocument(
      with: Self.accessCode(visit.code), random: &random)
    document.tryLongAnswers()
    var findings = Findings()
    findings.access = [.access(document.access.word)]
    if let proof = document.chipMapping { findings.access.append(.chipMapping(proof.word)) }
    for task in visit.tasks {
      switch task {
      case .read(let file):
        let content = try Self.read(file, of: &document)
        switch file {
        case .common: break
        case .securityObject: findings.evidence.securityObject = content
        case .group(let group): findings.evidence.files[group] = content
        }
        let hash = try Self.hash(content, .readDataGroup)
        findings.hashes.append(.fileHash(name: file.name, hash: hash))
      case .readCommonData(let lengths):
        let hash = try Self.hash(document.readCommonData(inParts: lengths), .readCommonData)
        findings.hashes.append(
          .fileHash(name: Trace.DocumentFile.common.name, hash: hash))
      case .authenticateChip:
        let result = try document.authenticateChip(
          with: findings.evidence.files[.dg14] ?? [], random: &random)
        findings.chipAuthentication = [.chipAuthentication(result.word)]
      case .answerChallenge:
        let challenge = try Self.challenge(&random)
        findings.evidence.challenge = challenge
        findings.evidence.response = try document.answer(to: challenge)
        let verdict = verdict(.activeAuthentication, on: findings.evidence)
        findings.activeAuthentication = [.activeAuthentication(verdict)]
      }
    }
    guard visit.readsServicesNumberAfterwards else { return findings.values }
    var other = try document.endSession()
    return [.servicesNumber(try other.readServicesNumber().description)] + findings.values
  }

  private static func read<Channel: CardChannel & ~Copyable>(
    _ file: Trace.DocumentFile, of document: inout TravelDocument<Channel>
  ) throws(CardError) -> [UInt8] {
    switch file {
    case .common: try document.readCommonData()
    case .securityObject: try document.readSecurityObject()
    case .group(let group): try document.read(group)
    }
  }

  /// Collects the evidence for the travel document, goes to the other side of the card, and judges.
  func judge<Channel: CardChannel & ~Copyable>(
    _ card: consuming IdentityCard<Channel>, _ code: Trace.DocumentCode,
    _ groups: Set<DataGroup>, anchors: [[UInt8]], random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var document = try card.openTravelDocument(with: Self.accessCode(code), random: &random)
    let evidence = try document.gatherEvidence(
      groups, openedWith: code.mrzInformation, random: &random)
    let access = document.access.word
    var other = try document.endSession()
    let number = try other.readServicesNumber().description
    let trust = try Self.trustStore(anchors)
    let report = AuthenticityReport(judging: evidence, trust: trust, at: time)
    return [.servicesNumber(number), .access(access)]
      + report.points.map { .report(point: $0.kind.word, verdict: $0.verdict.word) }
  }

  private func verdict(
    _ kind: AuthenticityReport.Kind, on evidence: AuthenticityReport.Evidence.Document
  ) -> String {
    let report = AuthenticityReport(judging: evidence, trust: nil, at: time)
    return report.points.first { $0.kind == kind }?.verdict.word ?? "could-not-check"
  }

  /// Eight bytes (Doc 9303-11 §6.1.2).
  private static func challenge(
    _ random: inout some RandomSource
  ) throws(CardError) -> [UInt8] {
    return try mapError(try random.bytes(8)) { CardError(.answerChallenge, .crypto($0)) }
  }

  private static func accessCode(
    _ code: Trace.DocumentCode
  ) throws(CardError) -> AccessCode {
    switch code {
    case .can(let digits):
      return try mapError(try AccessCode(can: Secret([UInt8](digits.utf8)))) {
        (_: AccessCode.FormatError) in
        CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil))
      }
    case .mrz:
      guard let information = code.mrzInformation else {
        throw CardError(.openAccess, .wrongAccessCode(.mrz, triesLeft: nil))
      }
      return try mapError(try AccessCode(mrz: information)) { CardError(.openAccess, .crypto($0)) }
    }
  }
}

extension AccessCode.AccessProtocol {
  /// The name in a trace.
  var word: String {
    switch self {
    case .pace(let name): name
    case .basic: "BAC"
    }
  }
}

extension AuthenticityReport.ChipProof {
  /// The name in a trace.
  var word: String {
    switch self {
    case .proved, .provedByMapping: "proved"
    case .failed: "failed"
    case .notOffered, .notTried, .toldByTerminal: "not-offered"
    case .unsupported: "unsupported"
    case .refused(let status): "refused-\(status)"
    case .channelEnded(let status): "channel-ended-\(status)"
    case .lengthNotCarried: "extended-length-needed"
    }
  }
}
