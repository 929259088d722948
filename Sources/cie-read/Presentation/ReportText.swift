import CIECard
import CardWork
import Messages
import Primitives

extension ServicesNumberFinding: Presentable {
  /// The points of files that are not read here, because they do not prove the number.
  private static let leftOut: [AuthenticityReport.Kind] = [.hash(.deviceKey), .hash(.dhParameters)]

  func lines(_ language: Language) -> [String] {
    [evidence.number.description]
      + evidence.report.lines(isTest: evidence.isTest, leavingOut: Self.leftOut, language)
  }

  func members(_ language: Language) -> [JSON.Member] {
    [.init("servicesNumber", evidence.number.description)]
      + evidence.report.members(isTest: evidence.isTest, leavingOut: Self.leftOut, language)
  }
}

extension AuthenticityReport {
  /// The lines for people: one a point.
  func lines(isTest: Bool, leavingOut: [Kind] = [], _ language: Language) -> [String] {
    judged(leavingOut).lines(isTest: isTest, language)
  }

  /// The members for scripts.
  func members(
    isTest: Bool, leavingOut: [Kind] = [], _ language: Language
  ) -> [JSON.Member] {
    [
      .init("outcome", outcome.word), .init("cloning", cloning.word), .init("test", isTest),
      .init("points", .array(judged(leavingOut).map { $0.json(language) })),
    ]
  }

  private func judged(_ leavingOut: [Kind]) -> [JudgedPoint] {
    points.filter { !leavingOut.contains($0.kind) }.map { point in
      JudgedPoint(
        point: point.kind.word, text: point.kind.text, verdict: point.verdict.word,
        verdictText: point.verdict.text, reason: point.reason)
    }
  }
}

extension AuthenticityReport.Outcome {
  /// The word for scripts.
  var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "known-production-fault"
    case .couldNotCheck: "could-not-check"
    }
  }
}
