import CIECard

extension Outcome {
  /// A verification as people and scripts get it.
  init(_ verification: Verification, _ language: Language) {
    self.init()
    let (document, ias) = (verification.document, verification.ias)
    if let text = document?.validity.text { lines.append(text(language)) }
    // What a script of a time before the travel document relies on is that of the IAS side, in its old place.
    if let ias {
      add(
        Bilingual(it: "NIS", en: "NIS"), ias.number.description, in: language, ias.numberMember)
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

  /// Points, and whether this side could be a copy.
  private mutating func tell(
    _ report: AuthenticityReport, under heading: Bilingual?, _ language: Language
  ) {
    if let heading { lines.append(heading(language)) }
    lines += report.lines(language)
    lines.append(report.cloning.text(language))
  }
}

extension EvidenceJob.Finding {
  fileprivate var numberMember: JSON.Member { .init("servicesNumber", number.description) }

  fileprivate func members(_ language: Language) -> [JSON.Member] {
    report.members(language) + [
      .init("challenge", evidence.challenge?.hexadecimal),
      .init("response", evidence.response?.hexadecimal),
    ]
  }
}

extension Verification.Document {
  fileprivate var heading: Bilingual {
    guard let access else {
      return Bilingual(
        it: "Documento di viaggio, file salvati:", en: "Travel document, saved files:")
    }
    return Bilingual(
      it: "Documento di viaggio (\(access.text)):", en: "Travel document (\(access.text)):")
  }

  fileprivate func members(_ language: Language) -> [JSON.Member] {
    [.init("access", access?.json ?? .null)] + report.members(language) + [
      .init("challenge", evidence.challenge?.hexadecimal),
      .init("response", evidence.response?.hexadecimal),
    ] + validity.members
  }
}

extension Bilingual {
  fileprivate static let iasHeading = Bilingual(it: "Lato IAS:", en: "IAS side:")
}

extension Verification {
  /// How the program ends, unless all is proved.
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
  /// What it comes to, for people.
  fileprivate func text(of conclusion: Conclusion) -> Bilingual {
    switch conclusion {
    case .proved:
      document == nil
        ? Bilingual(
          it: "Il lato IAS della carta è autentico, e il chip non è una copia.",
          en: "The IAS side of the card is genuine, and the chip is no copy.")
        : Bilingual(
          it: "Entrambi i lati della carta sono autentici, e nessuno dei due è una copia.",
          en: "Both sides of the card are genuine, and neither is a copy.")
    case .false:
      Bilingual(it: "Qualcosa è falso.", en: "Something is false.")
    case .knownProductionFault:
      Bilingual(
        it: "La carta ha un difetto di produzione noto, elencato dal Ministero: il gruppo DG12 non "
          + "è quello firmato. Se sia valida per l'espatrio lo dice solo la stampa.",
        en: "The card has a known production fault, listed by the Ministry: the group DG12 is not "
          + "the signed one. Whether it is valid abroad, only the print tells.")
    case .documentWithoutChipProof:
      Bilingual(
        it: "I dati del documento sono dello Stato, ma il documento non offre alcuna prova del "
          + "chip: potrebbero essere copiati. Il lato IAS, nello stesso contatto, ha provato il "
          + "proprio chip; solo quel contatto lega i due lati.",
        en: "The data of the document are the State's, but the document offers no proof of its "
          + "chip: they could be copied. The IAS side, in the same contact, proved its own chip; "
          + "only that contact binds the two sides.")
    case .savedFiles:
      Bilingual(
        it: "I file salvati sono dello Stato, inalterati; se il chip da cui vengono fosse una "
          + "copia, dai file non si può sapere.",
        en: "The saved files are the State's, unaltered; whether the chip that they came from "
          + "was a copy, files cannot tell.")
    case .incomplete:
      Bilingual(
        it: "Niente è falso, ma manca qualche prova.",
        en: "Nothing is false, but some proof is missing.")
    }
  }
}
