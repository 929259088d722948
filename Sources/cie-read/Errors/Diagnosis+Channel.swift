import CIECard

extension Diagnosis {
  /// The way to the card failed.
  init(_ error: ChannelError, signal: Int32?) {
    switch error {
    case .serviceMissing:
      self.init(
        .noService, "service-missing",
        what: Bilingual(
          it: "Il servizio delle smart card (pcscd) non è attivo.",
          en: "The smart card service (pcscd) is not running."),
        advice: Bilingual(
          it: "Installare e avviare pcscd: sudo apt install pcscd.",
          en: "Install and start pcscd: sudo apt install pcscd."))
    case .serviceStopped:
      self.init(
        .noService, "service-stopped",
        what: Bilingual(
          it: "Il servizio delle smart card (pcscd) si è fermato.",
          en: "The smart card service (pcscd) has stopped."),
        advice: Bilingual(it: "Riavviarlo e riprovare.", en: "Start it again and try once more."))
    case .noReader:
      self.init(
        .noReader, "no-reader",
        what: Bilingual(it: "Nessun lettore è collegato.", en: "No reader is connected."),
        advice: Bilingual(
          it: "Collegare un lettore contactless; l'elenco: cie-read readers.",
          en: "Connect a contactless reader; to list them: cie-read readers."))
    case .readerNotFound:
      self.init(
        .noReader, "reader-not-found",
        what: Bilingual(
          it: "Nessun lettore corrisponde a --reader.", en: "No reader fits --reader."),
        advice: Bilingual(
          it: "Vedere i nomi con cie-read readers.", en: "See the names with cie-read readers."))
    case .readerAmbiguous(_, let names):
      let list = names.joined(separator: "; ")
      self.init(
        .noReader, "reader-ambiguous",
        what: Bilingual(
          it: "Più di un lettore è possibile: \(list).", en: "Several readers fit: \(list)."),
        advice: Bilingual(
          it: "Indicarne uno con --reader.", en: "Name one with --reader."))
    case .readerRemoved:
      self.init(
        .noReader, "reader-removed",
        what: Bilingual(it: "Il lettore è stato scollegato.", en: "The reader was unplugged."),
        advice: Bilingual(
          it: "Ricollegarlo e ricominciare.", en: "Connect it and start again."))
    case .noCard:
      self.init(
        .noCard, "no-card",
        what: Bilingual(it: "Nessuna carta sul lettore.", en: "No card is on the reader."),
        advice: Bilingual(
          it: "Appoggiare la carta, o dare più tempo con --wait SECONDI.",
          en: "Put the card on the reader, or give more time with --wait SECONDS."))
    case .replayMismatch(let line, let detail):
      self.init(
        .usage, "replay-mismatch",
        what: Bilingual(
          it: "La conversazione non è quella registrata (riga \(line): \(detail)).",
          en: "The conversation is not the recorded one (line \(line): \(detail))."),
        advice: Bilingual(
          it: "Usare la registrazione di questo comando con gli stessi dati.",
          en: "Use a recording of this command with the same inputs."))
    case .cancelled:
      self = .interrupted(by: signal)
    case .other(let code, let function):
      let number = "0x" + String(code, radix: 16, uppercase: true)
      self.init(
        .internalFailure, "pcsc-error",
        what: Bilingual(
          it: "\(function) è fallita con \(number).", en: "\(function) failed with \(number)."),
        advice: Bilingual(
          it: "Controllare il registro di pcscd e i permessi.",
          en: "Check the log of pcscd and the permissions."))
    case .lengthNotCarried(let length):
      self.init(
        .notCarried, "length-not-carried",
        what: Bilingual(
          it: "Il lettore non trasporta un comando di \(length) byte.",
          en: "The reader cannot carry a command of \(length) bytes."),
        advice: Bilingual(it: "Usare un altro lettore.", en: "Use another reader."))
    case .cardRemoved:
      self = .lost(
        "card-removed", it: "La carta è stata tolta.", en: "The card was taken away.")
    case .cardMute:
      self = .lost(
        "card-mute", it: "La carta non risponde più.", en: "The card no longer answers.")
    case .cardReset:
      self = .lost(
        "card-reset", it: "Un altro programma ha riavviato la carta.",
        en: "Another program reset the card.")
    case .sharingViolation:
      self = .lost(
        "sharing-violation", it: "Un altro programma sta usando la carta.",
        en: "Another program is using the card.")
    case .truncatedResponse(let length):
      self = .lost(
        "truncated-response", it: "È arrivata una risposta monca (\(length) byte).",
        en: "An answer came cut short (\(length) bytes).")
    }
  }

  private static func lost(_ name: String, it: String, en: String) -> Diagnosis {
    Diagnosis(
      .cardLost, name, what: Bilingual(it: it, en: en),
      advice: Bilingual(
        it: "Tenere ferma la carta sul lettore, chiudere gli altri programmi, riprovare.",
        en: "Keep the card still on the reader, close other programs that use it, start again."))
  }
}
