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
      lines += [document.heading(language)] + document.report.withCloning(language)
    }
    if let ias {
      if document != nil { lines.append(Message("verification.ias-heading")(language)) }
      lines += ias.report.withCloning(language)
    }
    return document == nil ? lines : lines + [text(language)]
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
  fileprivate func withCloning(_ language: Language) -> [String] {
    lines(language) + [cloning.text(language)]
  }
}

extension CardEvidence {
  fileprivate func members(_ language: Language) -> [JSON.Member] {
    [.init("servicesNumber", number.description)] + report.members(language) + [
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

extension Verification {
  /// The conclusion for people.
  private var text: Message {
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
