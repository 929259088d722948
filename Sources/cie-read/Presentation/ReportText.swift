import CIECard
import CardWork
import Messages
import Primitives

extension ServicesNumberFinding: Presentable {
  /// The points of files that are not read here, because they do not prove the number.
  private static let leftOut: [AuthenticityReport.Kind] = [.hash(.deviceKey), .hash(.dhParameters)]

  func lines(_ language: Language) -> [String] {
    [evidence.number.description] + evidence.report.lines(leavingOut: Self.leftOut, language)
  }

  func members(_ language: Language) -> [JSON.Member] {
    [.init("servicesNumber", evidence.number.description)]
      + evidence.report.members(leavingOut: Self.leftOut, language)
  }
}

extension AuthenticityReport {
  /// The lines for people: one a point.
  func lines(leavingOut: [Kind] = [], _ language: Language) -> [String] {
    let points = points.filter { !leavingOut.contains($0.kind) }
    let words = points.map { $0.verdict.text(language) }
    let width = words.map(\.count).max() ?? 0
    return zip(points, words).map { point, word in
      let padding = String(repeating: " ", count: width - word.count + 2)
      let text = point.kind.text
      let line =
        point.reason.map { Message("labelled", ["label": text, "value": $0.text]) } ?? text
      return "  " + word + padding + line(language)
    }
  }

  /// The members for scripts.
  func members(leavingOut: [Kind] = [], _ language: Language) -> [JSON.Member] {
    let points = points.filter { !leavingOut.contains($0.kind) }
    return [
      .init("outcome", outcome.word), .init("cloning", cloning.word),
      .init("points", .array(points.map { $0.json(language) })),
    ]
  }
}

extension AuthenticityReport.Point {
  fileprivate func json(_ language: Language) -> JSON {
    .object([
      .init("point", kind.word), .init("verdict", verdict.word), .init("reason", reason?.name),
      .init("what", reason?.text(language)),
    ])
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
