import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// The points of a travel document whose chip is otherwise than the persona's: the matrix of options has only its outcome.
@Suite struct DeviatingDocumentTests {
  private typealias Verdict = AuthenticityReport.Verdict

  /// The judgement, and the commands until then.
  ///
  /// - Parameter persona: `nil` for one on whose card the option has its effect.
  private func judge(
    _ option: String, on persona: Persona? = nil
  ) throws -> (
    report: AuthenticityReport, evidence: AuthenticityReport.Evidence.Document, log: CardLog
  ) {
    let persona = persona ?? .showing(option)
    let card = VirtualCard(persona: persona, options: try CardOptions(parsing: option))
    var document = try DocumentJourneys.open(card)
    let evidence = try document.gatherEvidence([.dg1])
    let report = AuthenticityReport(
      judging: evidence, trust: try TrustStore([Certificate(der: persona.documentCSCA)]),
      at: TestClock.now)
    return (report, evidence, card.log)
  }

  @Test(arguments: ActiveSignature.allCases)
  func `active authentication by every hash function`(_ signature: ActiveSignature) throws {
    let report = try judge("active-authentication=\(signature.rawValue)").report
    let expected: Verdict =
      signature == .unknownTrailer
      ? .couldNotCheck(.unsupportedAlgorithm("ISO/IEC 10118-3, 3F")) : .proved
    #expect(report[.activeAuthentication] == expected)
    #expect(report.outcome == .proved)
  }

  /// Of two keys in DG14 the card has the other one, or neither.
  @Test func `a key that the card does not have`() throws {
    for option in ["no-chip-key=1", "no-chip-key=2"] {
      #expect(try judge(option).report[.chipAuthentication] == .proved, "\(option)")
    }
    let (report, evidence, _) = try judge("no-chip-key=1", on: .gemalto2)
    #expect(evidence.chipAuthentication == .refused(.referencedDataNotFound))
    // The chip's other proof counts.
    #expect(report[.activeAuthentication] == .proved && report.outcome == .proved)
  }

  @Test func `old session keys after chip authentication are a false chip`() throws {
    let report = try judge("old-session-keys").report
    #expect(report[.chipAuthentication] == .false(.chipKeyWrong) && report.outcome == .false)
  }

  /// The mapping proves nothing then, and chip authentication takes its place.
  @Test func `a mapping without EF.CardSecurity`() throws {
    let (report, _, log) = try judge("no-card-security")
    #expect(report[.chipAuthentication] == .proved && report.outcome == .proved)
    let agreements = log.entries.filter { $0.instruction == 0x22 && $0.isSecured }
    #expect(agreements.count == 1)
  }

  /// READ BINARY is extended where both lengths are announced, in any number of bytes.
  @Test(arguments: AnnouncedLengths.allCases)
  func `lengths in EF ATR`(_ form: AnnouncedLengths) throws {
    let (report, _, log) = try judge("announced-length=\(form.rawValue)")
    #expect(report.outcome == .proved)
    let longest =
      log.entries.filter { $0.instruction == 0xB0 && $0.isSecured }
      .map(\.responseLength).max() ?? 0
    #expect((longest > 258) == [.twoBytes, .threeBytes].contains(form), "\(longest)")
  }
}
