import CIECard

/// What opens the travel document, and what keeps it shut.
extension Diagnosis {
  static func wrongAccess(_ kind: AccessCode.Kind, _ tries: Int?) -> Diagnosis {
    let rest =
      switch tries {
      case nil: Bilingual(it: "", en: "")
      case 1: Bilingual(it: ": resta un tentativo", en: ": one try is left")
      case .some(let count):
        Bilingual(it: ": restano \(count) tentativi", en: ": \(count) tries are left")
      }
    let advice =
      switch kind {
      case .can:
        Bilingual(
          it:
            "Il CAN sono le sei cifre in basso a destra sul fronte; dopo un errore la carta può rallentare.",
          en:
            "The CAN is the six digits at the bottom right of the front; after a wrong one the card may slow down."
        )
      case .mrz:
        Bilingual(
          it: "Controllare numero del documento, data di nascita e di scadenza.",
          en: "Check the document number, the date of birth and the date of expiry.")
      case .pin, .puk:
        Bilingual(
          it: "Controllarlo prima di riprovare.", en: "Make sure of it before trying again.")
      }
    return Diagnosis(
      .wrongCode, "wrong-\(kind.rawValue)",
      what: Bilingual(
        it: "\(kind.subject(.italian)) non è di questa carta\(rest(.italian)).",
        en: "\(kind.subject(.english)) is not this card's\(rest(.english))."),
      advice: advice)
  }

  /// The last step of PACE failed without saying of what.
  static func refusedAccess(_ kind: AccessCode.Kind, _ status: StatusWord) -> Diagnosis {
    Diagnosis(
      .wrongCode, "access-refused",
      what: Bilingual(
        it:
          "La carta ha rifiutato l'apertura (\(status)): \(kind.inSentence(.italian)) non è di questa carta, oppure carta o lettore hanno un guasto.",
        en:
          "The card refused to open (\(status)): \(kind.inSentence(.english)) is not this card's, or card or reader failed."
      ),
      advice: kind.isBlocking
        ? Bilingual(
          it: "Non riprovare subito: può costare un tentativo. Controllare prima il codice.",
          en: "Do not try again at once, it may cost a try: make sure of the code first.")
        : Bilingual(
          it:
            "Controllare il codice e riappoggiare la carta; se è giusto, provare un altro lettore.",
          en: "Check the code and put the card on again; if it is right, try another reader."))
  }

  static func blockedAccess(_ kind: AccessCode.Kind) -> Diagnosis {
    Diagnosis(
      .blocked, "\(kind.rawValue)-blocked",
      what: Bilingual(
        it: "\(kind.subject(.italian)) è bloccato per questa carta.",
        en: "\(kind.subject(.english)) is blocked on this card."),
      advice: Bilingual(
        it: "Aprire il documento con i dati della zona a lettura ottica.",
        en: "Open the document with the data of the machine readable zone."))
  }

  static func lastAccessTry(_ kind: AccessCode.Kind) -> Diagnosis {
    Diagnosis(
      .blocked, "last-try-refused",
      what: Bilingual(
        it: "\(kind.subject(.italian)) ha un solo tentativo; non è stato usato.",
        en: "\(kind.subject(.english)) has one try left; it was not spent."),
      advice: Bilingual(
        it: "Aprire il documento con il CAN o con la zona a lettura ottica.",
        en: "Open the document with the CAN or the machine readable zone."))
  }

  static var extendedLengthNeeded: Diagnosis {
    Diagnosis(
      .notCarried, "extended-length-needed",
      what: Bilingual(
        it: "Il documento si apre solo con APDU estese, che il lettore o la carta non trasporta.",
        en:
          "The document opens only with extended APDUs, which the reader or the card does not carry."
      ),
      advice: Bilingual(
        it: """
          Usare un lettore con APDU estese, per esempio ACS ACR1252U o ACR1552U, HID Omnikey 5022 o 5422, Identiv \
          uTrust 3700 F; oppure aprire il documento con i dati della zona a lettura ottica.
          """,
        en: """
          Use a reader that carries extended APDUs, such as ACS ACR1252U or ACR1552U, HID Omnikey 5022 or 5422, \
          Identiv uTrust 3700 F; or open the document with the data of the machine readable zone.
          """))
  }

  static var noAccessProtocol: Diagnosis {
    Diagnosis(
      .notCarried, "no-access-protocol",
      what: Bilingual(
        it: "La carta non offre un modo conosciuto per aprire il documento con questo codice.",
        en: "The card offers no known way to open the document with this code."),
      advice: Bilingual(
        it: "Provare con i dati della zona a lettura ottica (--mrz-file).",
        en: "Try the data of the machine readable zone (--mrz-file)."))
  }
}

extension AccessCode.Kind {
  /// In the middle of a sentence.
  fileprivate func inSentence(_ language: Language) -> String {
    let subject = subject(language)
    return subject.prefix(1).lowercased() + subject.dropFirst()
  }

  /// As the beginning of a sentence.
  fileprivate var subject: Bilingual {
    switch self {
    case .mrz:
      Bilingual(it: "Il codice della zona a lettura ottica", en: "The machine readable zone")
    case .can: Bilingual(it: "Il CAN", en: "The CAN")
    case .pin: Bilingual(it: "Il PIN del documento", en: "The PIN of the document")
    case .puk: Bilingual(it: "Il PUK del documento", en: "The PUK of the document")
    }
  }
}
