import CIECard
import Pictures

extension Diagnosis {
  /// What a card does after wrong codes, so that nobody can try them all.
  static func slowAccess(_ error: CardError) -> Diagnosis {
    let plain = Diagnosis(.card(error))
    var slow = Diagnosis(
      plain.exit, plain.name, what: plain.what,
      advice: Bilingual(
        it: "La carta ha risposto lentamente: rallenta dopo ogni codice errato. "
          + plain.advice(.italian),
        en: "The card answered slowly: it slows down after each wrong code. "
          + plain.advice(.english)))
    (slow.step, slow.statusWord, slow.triesLeft) = (plain.step, plain.statusWord, plain.triesLeft)
    return slow
  }

  /// The portrait is not there, or not what it should be.
  init(_ problem: PortraitProblem) {
    switch problem {
    case .absent:
      self.init(
        .notCarried, "no-portrait",
        what: Bilingual(
          it: "La carta non ha dato una fotografia.", en: "The card gave no portrait."),
        advice: Bilingual(
          it: "Leggere il documento senza --photo.", en: "Read the document without --photo."))
    case .picture(.malformed):
      self.init(
        .false, "portrait-malformed",
        what: Bilingual(
          it: "La fotografia della carta è danneggiata e non si può convertire.",
          en: "The portrait of the card is damaged and cannot be converted."),
        advice: Self.storedPortrait)
    case .picture(.tooLarge):
      self.init(
        .notCarried, "portrait-too-large",
        what: Bilingual(
          it: "La fotografia è più grande di quanto questo programma converta.",
          en: "The portrait is larger than what this program converts."),
        advice: Self.storedPortrait)
    case .picture(.unsupported):
      self.init(
        .notCarried, "portrait-unsupported",
        what: Bilingual(
          it: "La fotografia usa una parte del suo formato che questo programma non converte.",
          en: "The portrait uses a part of its format that this program does not convert."),
        advice: Self.storedPortrait)
    case .picture(.decoderEnded):
      self.init(
        .notCarried, "portrait-not-decoded",
        what: Bilingual(
          it: "Il processo che doveva decodificare la fotografia è finito senza farlo.",
          en: "The process that was to decode the portrait ended without doing so."),
        advice: Self.storedPortrait)
    }
  }

  private static var storedPortrait: Bilingual {
    Bilingual(
      it: "Con --out la fotografia si salva com'è sulla carta.",
      en: "With --out the portrait is saved as it is on the card.")
  }
}

/// Options of the travel document that are not understood.
extension DocumentProblem {
  /// For scripts.
  var name: String {
    switch self {
    case .severalCodes: "several-access-codes"
    case .folderWithCard: "folder-with-card"
    case .groupsWithoutCode: "groups-without-access-code"
    case .incompleteZone: "incomplete-mrz"
    case .documentNumber: "bad-document-number"
    case .dateOfBirth: "bad-birth-date"
    case .dateOfExpiry: "bad-expiry-date"
    case .zoneFile: "bad-mrz-file"
    case .checkDigit: "mrz-check-digit"
    case .unknownDataGroup: "unknown-data-group"
    case .protectedDataGroup: "protected-data-group"
    case .folderNotEmpty: "folder-not-empty"
    case .photoFormat: "photo-format"
    }
  }

  /// For people.
  var what: Bilingual {
    switch self {
    case .severalCodes:
      Bilingual(
        it: "Il documento si apre con uno solo tra --can, --can-fd, --mrz-file e --document.",
        en: "The document opens with only one of --can, --can-fd, --mrz-file and --document.")
    case .folderWithCard:
      Bilingual(
        it: "--from legge una cartella e non una carta: vuole solo --trust e --trust-only.",
        en: "--from reads a folder and no card: it goes only with --trust and --trust-only.")
    case .groupsWithoutCode:
      Bilingual(
        it: "--only vale per il documento di viaggio: serve --can, --mrz-file o --document.",
        en: "--only is for the travel document: it takes --can, --mrz-file or --document.")
    case .incompleteZone:
      Bilingual(
        it: "Servono tutti e tre: --document, --birth, --expiry.",
        en: "It takes all three: --document, --birth, --expiry.")
    case .documentNumber:
      Bilingual(
        it: "--document vuole il numero del documento, lettere e cifre, come CA00000AA.",
        en: "--document takes the number of the document, letters and digits, such as CA00000AA.")
    case .dateOfBirth:
      Bilingual(
        it: "--birth vuole una data come 1985-01-31, 31/01/1985 o 850131.",
        en: "--birth takes a date such as 1985-01-31, 31/01/1985 or 850131.")
    case .dateOfExpiry:
      Bilingual(
        it: "--expiry vuole una data come 2031-01-31, 31/01/2031 o 310131.",
        en: "--expiry takes a date such as 2031-01-31, 31/01/2031 or 310131.")
    case .zoneFile:
      Bilingual(
        it: "Il file di --mrz-file non contiene una zona a lettura ottica, tutte le righe intere.",
        en: "The file of --mrz-file holds no machine readable zone, all lines whole.")
    case .checkDigit:
      Bilingual(
        it:
          "Una cifra di controllo della zona a lettura ottica non torna: c'è un carattere errato.",
        en: "A check digit of the machine readable zone does not fit: a character is wrong.")
    case .unknownDataGroup:
      Bilingual(
        it: "--only vuole gruppi di dati da dg1 a dg16, come dg1,dg2,dg11.",
        en: "--only takes data groups from dg1 to dg16, such as dg1,dg2,dg11.")
    case .protectedDataGroup:
      Bilingual(
        it: "DG3 e DG4 (impronte e iridi) si leggono solo con i certificati dello Stato.",
        en: "DG3 and DG4 (fingerprints and irises) are read only with the State's certificates.")
    case .folderNotEmpty:
      Bilingual(
        it: "La cartella di --out esiste e non è vuota: non si sovrascrive nulla.",
        en: "The folder of --out exists and is not empty: nothing is written over.")
    case .photoFormat:
      Bilingual(
        it: "La fotografia è in JPEG, e il nome di --photo è di JPEG 2000: usare .jpg o .png.",
        en: "The portrait is a JPEG, and the name of --photo is of JPEG 2000: use .jpg or .png.")
    }
  }
}
