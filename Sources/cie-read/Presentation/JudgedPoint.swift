import CIECard
import Messages
import Primitives

/// A point of a report, on a card or on a signed file, with its words for people and for scripts.
struct JudgedPoint {
  let point: String
  let text: Message
  let verdict: String
  let verdictText: Message
  let reason: ReportReason?

  /// The member for scripts.
  func json(_ language: Language) -> JSON {
    .object([
      .init("point", point), .init("verdict", verdict), .init("reason", reason?.name),
      .init("what", reason?.text(language)),
    ])
  }
}

extension Message {
  /// A verdict, marked if it is one on a software card.
  func of(test isTest: Bool) -> Message {
    isTest ? Message("verdict.test", ["verdict": self]) : self
  }
}

extension [JudgedPoint] {
  /// The lines for people, one a point, behind verdicts of one width.
  func lines(isTest: Bool = false, _ language: Language) -> [String] {
    let words = map { $0.verdictText.of(test: isTest)(language) }
    let width = words.map(\.count).max() ?? 0
    return zip(self, words).map { point, word in
      let padding = String(repeating: " ", count: width - word.count + 2)
      let line =
        point.reason.map { Message("labelled", ["label": point.text, "value": $0.text]) }
        ?? point.text
      return "  " + word + padding + line(language)
    }
  }
}
