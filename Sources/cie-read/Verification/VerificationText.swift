import CIECard
import Messages
import System

extension CommandOutcome {
  /// A verification for people and scripts.
  init(_ verification: Verification, _ language: Language) {
    self.init()
    let (document, ias) = (verification.document, verification.ias)
    if let text = document?.validity.text { lines.append(text(language)) }
    // Scripts older than the travel document use the members of the IAS side, in their old place.
    if let ias {
      add(
        Message("label.nis"), ias.number.description, in: language, ias.numberMember)
      members += ias.members(language)
    }
    if let document { tell(document.report, under: document.heading, language) }
    if let ias { tell(ias.report, under: document.map { _ in .iasHeading }, language) }
    let conclusion = verification.conclusion
    let words = verification.text(of: conclusion)(language)
    if document != nil { lines.append(words) }
    members += [
      .init(
        "overall",
        .object([
          .init("outcome", verification.outcome.word), .init("conclusion", conclusion.rawValue),
          .init("what", words),
        ])),
      .init("ias", ias.map { .object([$0.numberMember] + $0.members(language)) } ?? .null),
      .init("document", document.map { .object($0.members(language)) } ?? .null),
    ]
    failure = verification.failure
  }

  /// Adds points, and the possibility that this side is a copy.
  private mutating func tell(
    _ report: AuthenticityReport, under heading: Message?, _ language: Language
  ) {
    if let heading { lines.append(heading(language)) }
    lines += report.lines(language)
    lines.append(report.cloning.text(language))
  }
}

extension CardEvidence {
  fileprivate var numberMember: JSON.Member { .init("servicesNumber", number.description) }

  fileprivate func members(_ language: Language) -> [JSON.Member] {
    report.members(language) + [
      .init("challenge", evidence.challenge?.hexadecimal),
      .init("response", evidence.response?.hexadecimal),
    ]
  }
}

extension Verification.Document {
  fileprivate var heading: Message {
    guard let access else {
      return Message("verification.saved-heading")
    }
    return Message("verification.document-heading", ["access": access.text])
  }

  fileprivate func members(_ language: Language) -> [JSON.Member] {
    [.init("access", access?.json ?? .null)] + report.members(language) + [
      .init("challenge", evidence.challenge?.hexadecimal),
      .init("response", evidence.response?.hexadecimal),
    ] + validity.members
  }
}

extension Message {
  fileprivate static let iasHeading = Message("verification.ias-heading")
}

extension Verification {
  /// The failure, unless all is proved.
  fileprivate var failure: Failure? {
    switch conclusion {
    case .proved: nil
    case .false, .knownProductionFault, .incomplete: .notProved(outcome)
    case .documentWithoutChipProof: .possibleCopy(isSaved: false)
    case .savedFiles: .possibleCopy(isSaved: true)
    }
  }
}

extension Verification {
  /// The conclusion for people.
  fileprivate func text(of conclusion: Conclusion) -> Message {
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
