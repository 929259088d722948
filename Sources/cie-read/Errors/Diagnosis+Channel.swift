import CIECard

extension Diagnosis {
  /// The way to the card failed.
  init(_ error: ChannelError, signal: Int32?) {
    switch error {
    case .serviceMissing: self = .serviceMissing(isInstalled: ServiceInstallation.isThere)
    case .accessDenied:
      self.init(
        .noService, "access-denied",
        what: Bilingual(
          it: "Il servizio delle smart card (pcscd) non ammette questo utente: lo vieta polkit.",
          en: "The smart card service (pcscd) does not admit this user: polkit denies it."),
        advice: Bilingual(
          it: """
            Usare una sessione locale al posto di ssh, o far permettere a questo utente, in \
            /etc/polkit-1/rules.d, org.debian.pcsc-lite.access_pcsc e org.debian.pcsc-lite.access_card.
            """,
          en: """
            Use a session at the machine itself rather than ssh, or have this user allowed, in \
            /etc/polkit-1/rules.d, org.debian.pcsc-lite.access_pcsc and org.debian.pcsc-lite.access_card.
            """))
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
    case .readerUnavailable(let name):
      self.init(
        .noReader, "reader-unavailable",
        what: Bilingual(
          it: "Il lettore non è utilizzabile: \(name).", en: "The reader cannot be used: \(name)."),
        advice: Bilingual(
          it: "Scollegarlo e ricollegarlo, o riavviare pcscd; chiudere chi altro lo usa.",
          en: "Unplug it and plug it in again, or restart pcscd; end whatever else uses it."))
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
    case .cancelled, .withheld:
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
    case .transmissionFailed(let code):
      let number = "0x" + String(code, radix: 16, uppercase: true)
      self = .lost(
        "transmission-failed", it: "La trasmissione con la carta si è interrotta (\(number)).",
        en: "The transmission to the card broke off (\(number)).")
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

  /// Nobody answers for the service; what to do depends on whether it is there to be started.
  static func serviceMissing(isInstalled: Bool) -> Diagnosis {
    Diagnosis(
      .noService, "service-missing",
      what: isInstalled
        ? Bilingual(
          it: "Il servizio delle smart card (pcscd) è installato ma non è attivo.",
          en: "The smart card service (pcscd) is installed and does not run.")
        : Bilingual(
          it: "Il servizio delle smart card (pcscd) non è installato.",
          en: "The smart card service (pcscd) is not installed."),
      advice: isInstalled
        ? Bilingual(
          it: "Avviarlo: sudo systemctl start pcscd.socket, o senza systemd: sudo pcscd.",
          en: "Start it: sudo systemctl start pcscd.socket, or without systemd: sudo pcscd.")
        : Bilingual(
          it: "Installarlo: sudo apt install pcscd libccid.",
          en: "Install it: sudo apt install pcscd libccid."))
  }

  private static func lost(_ name: String, it: String, en: String) -> Diagnosis {
    Diagnosis(
      .cardLost, name, what: Bilingual(it: it, en: en),
      advice: Bilingual(
        it: "Tenere ferma la carta sul lettore, chiudere gli altri programmi, riprovare.",
        en: "Keep the card still on the reader, close other programs that use it, start again."))
  }
}
