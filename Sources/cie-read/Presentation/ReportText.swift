import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// A point of a report, on a card or on a signed file, with its words for people and for scripts.
struct JudgedPoint: Sendable {
  let point: String
  let text: Message
  let verdict: String
  let verdictText: Message
  let reason: ReportReason?
  /// The reason by its name in EN 319 102-1, for signed files.
  var subindication: Subindication?
}

extension JudgedPoint: DescribedObject {
  static let definition: String? = "point"

  static let members: [Member<JudgedPoint>] = [
    Member("point", \.point), Member("verdict", \.verdict),
    Member("reason", \.reason?.name, note: "A word for scripts."),
    Member("what", \.reason?.text, note: "The reason for people."),
  ]
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

extension AuthenticityReport {
  func lines(isTest: Bool, leavingOut: [Kind] = [], _ language: Language) -> [String] {
    judged(leavingOut).lines(isTest: isTest, language)
  }

  fileprivate func judged(_ leavingOut: [Kind]) -> [JudgedPoint] {
    points.filter { !leavingOut.contains($0.kind) }.map { point in
      JudgedPoint(
        point: point.kind.word, text: point.kind.text, verdict: point.verdict.word,
        verdictText: point.verdict.text, reason: point.reason)
    }
  }
}

/// A report, as it stands in several answers.
struct ReportFacts: DescribedObject {
  let report: AuthenticityReport
  let isTest: Bool
  /// The points that the answer leaves out.
  var leavingOut: [AuthenticityReport.Kind] = []

  static let members: [Member<ReportFacts>] = [
    Member("outcome", \.report.outcome), Member("cloning", \.report.cloning),
    Member("test", \.isTest).of {
      .named("test") {
        .flag.noted("True for a software card, whose own test authority is trusted.")
      }
    },
    Member("points") { $0.report.judged($0.leavingOut) },
  ]
}

extension AuthenticityReport.Outcome: StableWord {
  static let definition: String? = "outcome"
  static let words = ["proved", "false", "known-production-fault", "could-not-check"]

  var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "known-production-fault"
    case .couldNotCheck: "could-not-check"
    }
  }
}

extension AuthenticityReport.Cloning: StableWord {
  static let definition: String? = "cloning"
  static let note: String? = "Whether the card could be a clone."
  static let words = ["excluded", "possible", "not-judged"]
}

extension Verification: FunctionResult {
  func lines(_ language: Language) -> [String] {
    var lines: [String] = []
    if let text = document?.validity.text { lines.append(text(language)) }
    if let ias { lines.append(Message("label.nis").row(ias.number.description, language)) }
    if let document {
      lines +=
        [document.heading(language)]
        + document.report.withCloning(isTest: isTest, language)
    }
    if let ias {
      if document != nil { lines.append(Message("verification.ias-heading")(language)) }
      lines += ias.report.withCloning(isTest: isTest, language)
    }
    // The error says these.
    return [.incomplete, .false].contains(conclusion) ? lines : lines + [text(language)]
  }

  /// Scripts older than the travel document use the members of the IAS side, in their old place.
  static let members: [Member<Verification>] =
    Member.all(of: \.ias) + [
      Member("overall", \.overall),
      Member("ias", \.ias, note: "The IAS side as one object; null with --from."),
      Member("document", \.document, note: "The travel document; null when it was not asked for."),
    ]

  private var overall: Overall { Overall(verification: self) }
}

/// The conclusion of all sides together.
private struct Overall: DescribedObject {
  let verification: Verification

  static let members: [Member<Overall>] = [
    Member("outcome", \.verification.outcome), Member("conclusion", \.verification.conclusion),
    Member("what", \.verification.text),
  ]
}

extension Verification.Conclusion: StableWord {
  static let words = [
    "proved", "false", "known-production-fault", "document-without-chip-proof", "saved-files",
    "incomplete",
  ]
}

extension AuthenticityReport {
  /// The points, and the possibility that this side is a copy.
  fileprivate func withCloning(isTest: Bool, _ language: Language) -> [String] {
    lines(isTest: isTest, language) + [cloning.text.of(test: isTest)(language)]
  }
}

extension CardEvidence: DescribedObject {
  static let members: [Member<CardEvidence>] =
    [Member("servicesNumber", \.number.description)]
    + Member.all { ReportFacts(report: $0.report, isTest: $0.isTest) } + [
      Member("challenge") { $0.evidence.challenge.map(Digits.init) },
      Member("response") { $0.evidence.response.map(Digits.init) },
    ]
}

extension DocumentReading {
  fileprivate var heading: Message {
    guard let access else {
      return Message("verification.saved-heading")
    }
    return Message("verification.document-heading", ["access": access.text])
  }
}

extension DocumentReading: DescribedObject {
  static let members: [Member<DocumentReading>] =
    [Member("access", \.access)]
    + Member.all { ReportFacts(report: $0.report, isTest: $0.isTest) } + [
      Member("challenge") { $0.evidence.challenge.map(Digits.init) },
      Member("response") { $0.evidence.response.map(Digits.init) },
    ] + Member.all(of: \.validity)
}

extension Verification {
  fileprivate var text: Message {
    isTest ? Message("conclusion.test", ["conclusion": conclusionText]) : conclusionText
  }

  private var conclusionText: Message {
    switch conclusion {
    case .proved:
      document == nil
        ? Message("verification.proved-ias")
        : Message("verification.proved")
    case .false:
      Message("verification.false")
    case .knownProductionFault:
      Message("verification.known-production-fault")
    case .documentWithoutChipProof:
      Message("verification.document-without-chip-proof")
    case .savedFiles:
      Message("verification.saved-files")
    case .incomplete:
      Message("verification.incomplete")
    }
  }
}
