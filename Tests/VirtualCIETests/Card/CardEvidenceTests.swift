import Primitives
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// Evidence that one machine gathers, and another one judges.
@Suite struct CardEvidenceTests {
  static let now: UTCTime = 1_790_000_000
  static let challenge = [UInt8](1...16)
  private let trust: TrustStore

  init() throws { trust = try Self.anchors(.itj4) }

  private static func anchors(_ persona: Persona) throws -> TrustStore {
    let sides = try [persona.csca, persona.documentCSCA].map { try #require(TrustStore(der: $0)) }
    return sides[0].merged(with: sides[1])
  }

  /// Reads a card as a terminal does.
  ///
  /// - Parameter groups: those of the travel document; `nil` to leave it closed.
  static func gather(
    _ persona: Persona = .itj4, _ groups: Set<DataGroup>? = nil,
    challenge: [UInt8] = challenge, audience: String? = "office.example"
  ) throws -> CardEvidence {
    try CardEvidence.gathered(
      from: persona, groups, challenge: challenge, audience: audience, at: now)
  }

  func judge(
    _ evidence: CardEvidence, challenge: [UInt8]? = challenge, audience: String? = "office.example",
    within seconds: Int? = nil, terminal: [UInt8]? = nil,
    requiring parts: Set<EvidenceReport.Part> = [], at time: UTCTime = now
  ) -> EvidenceReport {
    EvidenceReport(
      judging: evidence, trust: trust,
      expecting: EvidenceReport.Expectation(
        challenge: challenge, audience: audience, mostSeconds: seconds, terminalKey: terminal,
        parts: parts),
      at: time)
  }

  /// The bytes, read and judged; nil if they are no evidence.
  private func judge(_ bytes: [UInt8]) -> EvidenceReport? {
    (try? CardEvidence(bytes)).map { judge($0) }
  }

  @Test func provesTheNumberToItsReceiver() throws {
    let bytes = try Self.gather().bytes
    let read = try CardEvidence(bytes)
    #expect(read.bytes == bytes)
    #expect(try CardEvidence(bytes + [0x0A]) == read)
    let report = judge(read)
    #expect(report.outcome == .proved && report.ias?.cloning == .excluded)
    #expect(report.points.map(\.kind) == [.receiversChallenge, .audience])
    #expect(read.ias?.files[.servicesNumber] == [UInt8]("100200300434".utf8))
  }

  @Test func everyChangedByteIsNoticed() throws {
    let bytes = try Self.gather().bytes
    for place in bytes.indices {
      for bit in place % 8 == 0 ? [UInt8(1), 0x20] : [1] {
        var changed = bytes
        changed[place] ^= bit
        #expect(judge(changed)?.outcome != .proved, "\(place)")
      }
    }
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(judge([UInt8](bytes.prefix(length))) == nil)
    }
    #expect(judge(bytes + bytes) == nil && judge(bytes + [0x20]) == nil)
  }

  @Test func onlyTheOneFormIsRead() throws {
    let text = try Self.gather().text
    func error(_ text: String) -> CardEvidence.Malformation? {
      do throws(CardEvidence.Malformation) { _ = try CardEvidence([UInt8](text.utf8)) } catch {
        return error
      }
      return nil
    }
    #expect(error(text) == nil)
    #expect(error("") == .notInForm && error("{}") == .notInForm && error("[1]") == .notInForm)
    #expect(
      error(text.replacing("evidence/1", with: "evidence/2")) == .unknownFormat("cie-evidence/2"))
    #expect(error(text.replacing("{\"audience\"", with: "{ \"audience\"")) == .notInForm)
    #expect(error(text.replacing("\"format\"", with: "\"extra\":1,\"format\"")) == .notInForm)
    #expect(
      error(text.replacing("\"files\":{", with: "\"files\":{\"1001\":\"MTAw\",")) == .notInForm)
    #expect(error(text.replacing("office", with: "off\u{69}ce\u{200B}")) == .notInForm)
    let long = text + String(repeating: " ", count: CardEvidence.mostBytes)
    #expect(error(long) == .tooLong(limit: CardEvidence.mostBytes))
  }

  @Test func requestsOfOthersAreNotAnswered() throws {
    let evidence = try Self.gather()
    func verdicts(_ report: EvidenceReport) -> [AuthenticityReport.Verdict] {
      report.points.map(\.verdict)
    }
    #expect(verdicts(judge(evidence, challenge: [UInt8](2...17))).first == .false(.otherChallenge))
    #expect(
      verdicts(judge(evidence, audience: "other.example")).last
        == .false(.otherAudience("office.example")))
    let unnamed = judge(evidence, audience: nil)
    #expect(verdicts(unnamed).last == .couldNotCheck(.audienceNotNamed("office.example")))
    let undated = judge(evidence, challenge: nil)
    #expect(verdicts(undated).first == .couldNotCheck(.challengeNotNamed))
    #expect(unnamed.outcome == .couldNotCheck && undated.outcome == .couldNotCheck)
    let forNoOne = try Self.gather(audience: nil)
    #expect(judge(forNoOne, audience: nil).outcome == .proved)
    #expect(judge(forNoOne).outcome == .false)
  }

  @Test func evidenceOfNoSideProvesNothing() throws {
    var evidence = try Self.gather()
    evidence.ias = nil
    let report = judge(try CardEvidence(evidence.bytes))
    #expect(report.requestOutcome == .proved && report.outcome == .couldNotCheck)
  }

  /// The terminal chooses the sides that it sends, so the receiver says which one it needs.
  @Test func aRequiredPartThatIsAbsentIsNotProved() throws {
    let number = try Self.gather()
    #expect(judge(number, requiring: [.ias]).outcome == .proved)
    #expect(judge(number, requiring: [.ias]).points.last?.kind == .requiredSide(.ias))
    for part in [EvidenceReport.Part.document, .holder] {
      let report = judge(number, requiring: [.ias, part])
      #expect(report.outcome == .couldNotCheck && report.requestOutcome == .couldNotCheck)
    }
    let report = judge(number, requiring: [.document])
    #expect(report.points.last?.kind == .requiredSide(.travelDocument))
    #expect(report.points.last?.verdict == .couldNotCheck(.notInEvidence))
    #expect(judge(number, requiring: [.holder]).points.last?.verdict == .couldNotCheck(.notSigned))
    var alone = try Self.gather(.itj4, [.dg1])
    alone.ias = nil
    #expect(judge(alone, requiring: [.ias]).points.last?.verdict == .couldNotCheck(.notInEvidence))
    // It is there, and its own report says that it is not proved, or false.
    #expect(judge(alone, requiring: [.document]).outcome == .couldNotCheck)
    alone.document?.files[.dg1]?[20] ^= 1
    #expect(judge(alone, requiring: [.document]).outcome == .false)
    // Nothing of a side in the place of the side.
    var empty = number
    empty.ias = AuthenticityReport.Evidence()
    #expect(judge(try CardEvidence(empty.bytes), requiring: [.ias]).outcome == .couldNotCheck)
  }

  @Test func oldAndFutureEvidenceIsNotProved() throws {
    let evidence = try Self.gather()
    let later = UTCTime(seconds: Self.now.seconds + 61)
    #expect(judge(evidence, within: 60).outcome == .proved)
    #expect(judge(evidence, within: 61, at: later).outcome == .proved)
    let old = judge(evidence, within: 60, at: later)
    #expect(old.points.last?.verdict == .couldNotCheck(.tooOld(made: Self.now)))
    let early = judge(evidence, at: UTCTime(seconds: Self.now.seconds - 121))
    #expect(early.points.last?.verdict == .couldNotCheck(.ofTheFuture(made: Self.now)))
    #expect(old.outcome == .couldNotCheck && early.outcome == .couldNotCheck)
  }

  /// The chip of one card, the files of another.
  @Test func mixedEvidenceIsFalse() throws {
    var evidence = try Self.gather()
    evidence.ias?.response = try Self.gather(.gemalto).ias?.response
    #expect(judge(evidence.bytes)?.outcome == .false)
    evidence = try Self.gather()
    evidence.ias?.files[.servicesNumber] = try Self.gather(.gemalto).ias?.files[.servicesNumber]
    #expect(judge(evidence.bytes)?.outcome == .false)
    evidence = try Self.gather(challenge: [UInt8](2...17))
    #expect(judge(evidence.bytes)?.outcome == .false)
    let foreign = try Self.gather(.gemalto)
    #expect(judge(foreign.bytes)?.outcome == .couldNotCheck)
  }

  /// Active authentication answers the request; the IAS side answers all that is there, the terminal's word joins both.
  @Test(arguments: ["gemalto2", "st"]) func activeAuthenticationIsBound(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    let trust = try Self.anchors(persona)
    let evidence = try Self.gather(persona, [.dg1, .dg11])
    func judge(_ bytes: [UInt8]) throws -> EvidenceReport {
      EvidenceReport(
        judging: try CardEvidence(bytes), trust: trust,
        expecting: .init(challenge: Self.challenge, audience: "office.example"), at: Self.now)
    }
    let report = try judge(evidence.bytes)
    #expect(report.document?[.activeAuthentication] == .proved)
    #expect(report.document?[.dataGroup(.dg2)] == nil && report.document?.outcome == .proved)
    #expect(report.points.last?.kind == .sameCard && report.outcome == .couldNotCheck)
    var alone = evidence
    alone.ias = nil
    #expect(try judge(alone.bytes).outcome == .proved)
    var shorter = evidence
    shorter.document?.files[.dg11] = nil
    let cut = try judge(shorter.bytes)
    #expect(cut.ias?[.challenge] == .false(.answerWrong))
    var other = evidence
    other.document?.response = try Self.gather(persona, [.dg1], challenge: [UInt8](2...17))
      .document?.response
    #expect(try judge(other.bytes).outcome == .false)
  }

  /// The document of one card and the services number of another, whose chip signs whatever a terminal gives it.
  @Test func twoCardsAreNotOne() throws {
    var evidence = try Self.gather(.gemalto2, [.dg1])
    evidence.ias = nil
    var other = IdentityCard(
      over: VirtualCardChannel(
        VirtualCard(persona: .gemalto, random: SeededRandom(seed: "card"))))
    try other.gatherEvidence(.servicesNumber, into: &evidence)
    let both = try Self.anchors(.gemalto2).merged(with: Self.anchors(.gemalto))
    let report = EvidenceReport(
      judging: try CardEvidence(evidence.bytes), trust: both,
      expecting: .init(challenge: Self.challenge, audience: "office.example"), at: Self.now)
    #expect(report.document?.outcome == .proved && report.ias?.outcome == .proved)
    #expect(report.points.last?.verdict == .couldNotCheck(.toldByTerminal))
    #expect(report.outcome == .couldNotCheck)
  }

  /// With the PIN, and a certificate of which the State has signed the hash.
  @Test func theHolderSignsAllThatIsThere() throws {
    var evidence = try Self.gather()
    let card = VirtualCard(persona: .itj4, random: SeededRandom(seed: "card"))
    var verified = try IdentityCard(over: VirtualCardChannel(card))
      .authenticate(checking: .skipped).verify(PIN(digits: Persona.itj4.pin))
    try verified.sign(&evidence)
    let report = judge(try CardEvidence(evidence.bytes))
    #expect(report.points.map(\.kind) == [.receiversChallenge, .audience, .holder])
    #expect(report.outcome == .proved && report.ias?[.hash(.certificate)] == .proved)
    #expect(judge(evidence, requiring: [.ias, .holder]).outcome == .proved)
    var altered = evidence
    altered.holder?.signature[9] ^= 1
    #expect(judge(altered).points.last?.verdict == .false(.signatureWrong))
    // Evidence for another request.
    altered = try Self.gather(challenge: [UInt8](2...17))
    altered.holder = evidence.holder
    let moved = judge(try CardEvidence(altered.bytes), challenge: [UInt8](2...17))
    #expect(moved.points.last?.verdict == .false(.signatureWrong))
    // The holder of another card: the hash of its certificate is not in the file that the State signed for this one.
    altered = try Self.gather()
    let other = VirtualCard(persona: .gemalto, random: SeededRandom(seed: "card"))
    var stranger = try IdentityCard(over: VirtualCardChannel(other))
      .authenticate(checking: .skipped).verify(PIN(digits: Persona.gemalto.pin))
    try stranger.sign(&altered)
    let mixed = judge(try CardEvidence(altered.bytes))
    #expect(mixed.points.last?.verdict == .couldNotCheck(.keyNotProved))
    #expect(mixed.ias?[.hash(.certificate)] == .false(.hashDiffers) && mixed.outcome == .false)
    altered.ias = nil
    #expect(judge(altered).outcome != .proved)
  }
}
