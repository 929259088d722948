import CIECard
import CardWork
import Messages
import Primitives

/// A point of a report, on a card or on a signed file, with its words for people and for scripts.
struct JudgedPoint: Sendable {
  let point: String
  let text: Message
  let verdict: String
  let verdictText: Message
  let reason: ReportReason?
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
        point.reason.map {
          Message("labelled", ["label": point.text, "value": $0.text.asTold(by: "cie-read")])
        }
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
    points.filter { !leavingOut.contains($0.kind) }.judged()
  }
}

extension [AuthenticityReport.Point] {
  fileprivate func judged() -> [JudgedPoint] {
    map { point in
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

  static let members: [Member<ReportFacts>] = Member.facts(of: \.report)
    .replacing(
      "points",
      with: [
        Member("test", \.isTest).of {
          .named("test") {
            .flag.noted("True for a software card, whose own test authority is trusted.")
          }
        },
        Member("points") { facts in
          facts.report.points.filter { !facts.leavingOut.contains($0.kind) }.map(ShownPoint.init)
        },
      ])
}

/// A point with its reason for people.
private struct ShownPoint: DescribedObject {
  let point: AuthenticityReport.Point

  static let definition: String? = AuthenticityReport.Point.definition
  static let members: [Member<ShownPoint>] =
    Member.facts(of: \.point) + [
      Member("what", { $0.point.reason?.text }, note: "The reason for people.")
    ]
}

extension AuthenticityReport.Outcome: Described {}
extension AuthenticityReport.Cloning: Described {}

extension Verification: DescribedObject {
  func lines(_ language: Language) -> [String] {
    var lines: [String] = []
    if let text = document?.expiries { lines.append(text(language)) }
    if let ias { lines.append(Message("label.nis").row(ias.number.description, language)) }
    if let judgement {
      lines.append(Message("verification.request-heading")(language))
      lines += judgement.points.judged().lines(language)
    }
    if let document {
      lines +=
        [document.heading(ofEvidence: judgement != nil)(language)]
        + document.report.withCloning(isTest: isTest, language)
    }
    if let ias {
      if document != nil || judgement != nil {
        lines.append(Message("verification.ias-heading")(language))
      }
      lines += ias.report.withCloning(isTest: isTest, leavingOut: ias.leavesOut, language)
    }
    // The error says these.
    return [.incomplete, .false].contains(conclusion) ? lines : lines + [text(language)]
  }

  /// Scripts older than the travel document use the members of the IAS side, in their old place. They are not there with
  /// evidence, because "proved" there would say nothing of the request.
  static let members: [Member<Verification>] =
    Member.all(of: { $0.judgement == nil ? $0.ias : nil }) + [
      Member("overall", \.overall),
      Member("ias", \.ias, note: "The IAS application as one object; null with --from."),
      Member("document", \.document, note: "The travel document; null when it was not asked for."),
      .whenPresent("request", \.request, note: "With evidence: the request that it answers."),
    ]

  private var request: JudgedRequest? {
    guard let judgement, let evidence else { return nil }
    return JudgedRequest(evidence: evidence, judgement: judgement)
  }

  private var overall: Overall { Overall(verification: self) }
}

/// The request that evidence answers, with its judgement.
private struct JudgedRequest: DescribedObject {
  let evidence: CardEvidence
  let judgement: EvidenceReport

  static let members: [Member<JudgedRequest>] = [
    Member("outcome", \.judgement.requestOutcome),
    Member("challenge") { Digits($0.evidence.request.challenge) },
    Member("audience", \.evidence.request.audience), Member("time", \.evidence.time),
    Member("program", \.evidence.program),
    Member("points") { $0.judgement.points.map(ShownPoint.init) },
  ]
}

/// The conclusion of all sides together.
private struct Overall: DescribedObject {
  let verification: Verification

  static let members: [Member<Overall>] = [
    Member("outcome", \.verification.outcome), Member("conclusion", \.verification.conclusion),
    Member("what", \.verification.text),
  ]
}

extension Verification.Conclusion: DescribedWord {
  static let words = [
    "proved", "false", "known-production-fault", "document-without-chip-proof", "saved-files",
    "incomplete",
  ]
}

extension AuthenticityReport {
  /// The points, and the possibility that this side is a copy.
  fileprivate func withCloning(
    isTest: Bool, leavingOut: [Kind] = [], _ language: Language
  ) -> [String] {
    lines(isTest: isTest, leavingOut: leavingOut, language) + [
      cloning.text.of(test: isTest)(language)
    ]
  }
}

extension IASReading: DescribedObject {
  static let members: [Member<IASReading>] =
    [Member("servicesNumber", \.number.description)]
    + Member.all {
      ReportFacts(report: $0.report, isTest: $0.isTest, leavingOut: $0.leavesOut)
    } + [
      Member("challenge") { $0.evidence.challenge.map(Digits.init) },
      Member("response") { $0.evidence.response.map(Digits.init) },
    ]
}

extension DocumentReading {
  fileprivate func heading(ofEvidence: Bool) -> Message {
    guard let access else {
      return Message(
        ofEvidence ? "verification.evidence-heading" : "verification.saved-heading")
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
    ] + Member.facts(of: \.validity)
}

extension Verification {
  fileprivate var text: Message {
    isTest ? Message("conclusion.test", ["conclusion": conclusionText]) : conclusionText
  }

  private var conclusionText: Message {
    switch conclusion {
    case .proved where judgement != nil:
      Message("verification.proved-evidence")
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
