import TestSupport
import Testing

@testable import CIECard

/// The cases of BSI TR-03105-5.1, layer 7, that end here otherwise than there: the table in `Tests/Guideline.md`. None of
/// them gets better by its oddity.
@Suite struct GuidelineTests {
  private typealias Report = AuthenticityReport

  @Test func `every case matches the table`() throws {
    let good = GuidelineDocument()
    let usual = try good.report(on: good.evidence())
    #expect(usual.outcome == .proved && usual.points.allSatisfy { $0.remark == nil })
    let rows = try GuidelineCase.all.map { try Self.row(of: $0, beside: usual) }
    let changes = try Pin.changes(
      ofTable: "guideline", in: "Tests/Guideline.md",
      ["case", "changed", "outcome", "what the report says", "decision", "because"], rows)
    #expect(changes == [])
  }

  private static func row(of item: GuidelineCase, beside usual: Report) throws -> [String] {
    var document = GuidelineDocument()
    try item.alter(&document)
    let evidence = try document.evidence()
    let report = try document.report(on: evidence)
    let differences = report.points.filter { point in
      point.reason?.name != usual.points.first { $0.kind == point.kind }?.reason?.name
    }
    let isOdd = report.points.contains { $0.remark != nil }
    switch item.decision {
    case .fails: #expect(report.outcome == .false, "\(item.number)")
    case .passes, .byDesign: #expect(report.outcome == .proved && !isOdd, "\(item.number)")
    case .remark: #expect(report.outcome == .proved && isOdd, "\(item.number)")
    case .couldNotCheck: #expect(report.outcome == .couldNotCheck, "\(item.number)")
    }
    try expectNothingBetter(item, document, evidence, report[.signature])
    let words = differences.map { "`\($0.kind.word)` \($0.reason?.name ?? "")" }
    return [
      item.number, item.change, report.outcome.word, words.joined(separator: ", "),
      item.decision.rawValue, item.reason,
    ]
  }

  /// Another file than the signed one is false in every case, and a wrong signature is never proved.
  private static func expectNothingBetter(
    _ item: GuidelineCase, _ document: GuidelineDocument,
    _ evidence: Report.Evidence.Document, _ original: Report.Verdict?
  ) throws {
    var exchanged = evidence
    exchanged.files[.dg11] = evidence.files[.dg12]
    exchanged.files[.dg11]?[0] = 0x6B
    let report = try document.report(on: exchanged)
    #expect(report.outcome == .false, "\(item.number): another DG11")
    // No hash is read of a security object that cannot be taken apart, which is false itself.
    if case .false(.malformedSecurityObject)? = original { return }
    #expect(report[.dataGroup(.dg11)] == .false(.hashDiffers), "\(item.number)")

    var forged = document
    forged.object.hasWrongSignature = true
    var evidence = evidence
    evidence.securityObject = try forged.object.encoded(
      over: document.groups.merging(document.listedOnly) { $1 })
    let verdict = try document.report(on: evidence)[.signature]
    let isUnverified = verdict == original && verdict != .proved
    #expect(verdict == .false(.signatureWrong) || isUnverified, "\(item.number)")
  }
}
