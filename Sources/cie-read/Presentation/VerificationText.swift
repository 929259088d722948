import CIECard
import CardWork
import Messages
import Primitives

extension Verification: Presentable {
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
  func members(_ language: Language) -> [JSON.Member] {
    (ias?.members(language) ?? []) + [
      .init(
        "overall",
        .object([
          .init("outcome", outcome.word), .init("conclusion", conclusion.rawValue),
          .init("what", text(language)),
        ])),
      .init("ias", ias.map { .object($0.members(language)) } ?? .null),
      .init("document", document.map { .object($0.members(language)) } ?? .null),
    ]
  }
}

extension AuthenticityReport {
  /// The points, and the possibility that this side is a copy.
  fileprivate func withCloning(isTest: Bool, _ language: Language) -> [String] {
    lines(isTest: isTest, language) + [cloning.text.of(test: isTest)(language)]
  }
}

extension CardEvidence {
  fileprivate func members(_ language: Language) -> [JSON.Member] {
    [.init("servicesNumber", number.description)] + report.members(isTest: isTest, language) + [
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
    [.init("access", access?.json ?? .null)] + report.members(isTest: isTest, language) + [
      .init("challenge", evidence.challenge?.hexadecimal),
      .init("response", evidence.response?.hexadecimal),
    ] + validity.members
  }
}

extension Verification {
  /// The conclusion for people.
  private var text: Message {
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
