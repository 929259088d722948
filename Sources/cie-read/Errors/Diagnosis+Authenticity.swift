import CIECard

/// What came of judging a card or a document.
extension Diagnosis {
  /// Nothing to be done with other certificates, unlike a chain that is not complete.
  static func possibleCopy(_ isSaved: Bool) -> Diagnosis {
    Diagnosis(
      .couldNotCheck, "could-not-check",
      what: Bilingual(
        it: "Niente è falso, ma il documento potrebbe essere una copia.",
        en: "Nothing is false, but the document could be a copy."),
      advice: isSaved
        ? Bilingual(
          it: "Solo la carta stessa può provarlo: cie-read verify con la carta sul lettore.",
          en: "Only the card itself can prove it: cie-read verify with the card on the reader.")
        : Bilingual(
          it: "Confrontare la carta e il volto del titolare con i dati e la fotografia.",
          en: "Compare the card and the holder's face with the data and the portrait."))
  }

  init(_ outcome: AuthenticityReport.Outcome) {
    switch outcome {
    case .false:
      self.init(
        .false, "not-authentic",
        what: Bilingual(
          it: "Un controllo di autenticità è risultato falso.",
          en: "A check of authenticity came out false."),
        advice: Bilingual(
          it: "Non fidarsi di questa carta.", en: "Do not trust this card."))
    case .knownFault(let fault):
      self.init(
        .couldNotCheck, "known-production-fault",
        what: Bilingual(
          it: "La carta ha un \(fault.text(.italian)).",
          en: "The card has a \(fault.text(.english))."),
        advice: Bilingual(
          it:
            "Per data di rilascio, autorità e validità per l'espatrio vale la stampa sulla carta.",
          en:
            "For the date of issue, the authority and whether it is valid abroad, go by the print "
            + "on the card."))
    case .couldNotCheck, .proved:
      self.init(
        .couldNotCheck, "could-not-check",
        what: Bilingual(
          it: "Niente è falso, ma l'autenticità non si è potuta provare del tutto.",
          en: "Nothing is false, but authenticity could not be proved in full."),
        advice: Bilingual(
          it: "I punti dicono che cosa manca; --trust aggiunge certificati CSCA.",
          en: "The points tell what is missing; --trust adds CSCA certificates."))
    }
  }

  static func expired(_ day: PartialDate) -> Diagnosis {
    Diagnosis(
      .false, "document-expired",
      what: Bilingual(
        it: "Il documento è scaduto il \(day).", en: "The document expired on \(day)."),
      advice: Bilingual(
        it: "Serve un documento valido; senza --require-valid la scadenza è solo riferita.",
        en: "A valid document is needed; without --require-valid the expiry is only told."))
  }

  static var validityUnknown: Diagnosis {
    Diagnosis(
      .couldNotCheck, "validity-unknown",
      what: Bilingual(
        it: "Se il documento sia ancora valido non si sa.",
        en: "Whether the document is still valid is not known."),
      advice: Bilingual(
        it: "La scadenza è nel documento di viaggio: aggiungere il CAN (--can, --can-fd).",
        en: "The expiry is in the travel document: add the CAN (--can, --can-fd)."))
  }
}
