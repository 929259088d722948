/// How the program ends, for scripts; README.md lists the same numbers with the same words.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done, and nothing that was checked is false.
  case ok = 0
  /// The program or the machine failed, not the card.
  case internalFailure = 1
  /// The PC/SC service does not run.
  case noService = 3
  /// No reader, or not the one named, or several that fit.
  case noReader = 4
  /// No card within the time given.
  case noCard = 5
  /// The card is no CIE.
  case notACIE = 6
  /// Wrong PIN or PUK.
  case wrongCode = 7
  /// PIN or PUK blocked, or the last try not spent.
  case blocked = 8
  /// The card was lost in the middle.
  case cardLost = 9
  /// Checked, and false.
  case `false` = 10
  /// Refused by the server.
  case serverRefused = 11
  /// The reader or the card cannot carry it.
  case notCarried = 12
  /// Could not be checked.
  case couldNotCheck = 13
  /// The network failed.
  case network = 14
  /// An untrusted or malformed request.
  case untrustedRequest = 15
  /// A command line, PIN entry or file that cannot be used (sysexits: EX_USAGE).
  case usage = 64
  /// Ended by SIGHUP (128 + 1).
  case hungUp = 129
  /// Ended by SIGINT (128 + 2).
  case interrupted = 130
  /// Ended by SIGQUIT (128 + 3).
  case quit = 131
  /// Ended by SIGTERM (128 + 15).
  case terminated = 143
}

extension ExitStatus {
  /// What it means, in one line; the help and README.md say the same.
  var meaning: Bilingual {
    switch self {
    case .ok:
      Bilingual(
        it: "fatto, e niente di ciò che è stato controllato è falso",
        en: "done, and nothing that was checked is false")
    case .internalFailure:
      Bilingual(
        it:
          "errore del programma o della macchina: risultato che non si può scrivere, errore PC/SC "
          + "sconosciuto",
        en: "the program or the machine failed: output that cannot be written, an unknown PC/SC "
          + "error")
    case .noService:
      Bilingual(
        it:
          "il servizio PC/SC non c'è, non è avviato, si è fermato, o è vietato a questo utente (polkit)",
        en: "no PC/SC service, not started, stopped, or closed to this user (polkit)")
    case .noReader:
      Bilingual(
        it:
          "nessun lettore, o non quello indicato, o più d'uno, o uno in elenco che non si può usare, o "
          + "staccato nel frattempo",
        en:
          "no reader, not the one named, several that fit, one that is listed but cannot be used, or "
          + "unplugged on the way")
    case .noCard:
      Bilingual(
        it: "nessuna carta nel tempo dato", en: "no card within the time given")
    case .notACIE:
      Bilingual(
        it: "non è una CIE: manca l'applicazione CIE o, prima delle chiavi di sessione, rifiuti e "
          + "risposte che nessuna CIE dà",
        en:
          "not a CIE: no CIE application, or, before there are session keys, refusals and answers "
          + "that no CIE gives")
    case .wrongCode:
      Bilingual(
        it:
          "PIN, PUK, CAN o zona a lettura ottica sbagliati; il messaggio dice i tentativi rimasti",
        en: "wrong PIN, PUK, CAN or machine readable zone; the tries left are in the message")
    case .blocked:
      Bilingual(
        it: "PIN o PUK bloccato, o ultimo tentativo non speso",
        en: "PIN or PUK blocked, or the last try not spent")
    case .cardLost:
      Bilingual(
        it: "carta persa: tolta, muta, reinizializzata o tenuta da un altro programma, risposta "
          + "interrotta",
        en: "card lost: taken away, mute, reset or held by another program, an answer cut short")
    case .false:
      Bilingual(
        it: "controllato e falso: non autentica, firma che non vale o, dopo le chiavi di sessione, "
          + "risposte non autentiche o malformate",
        en: "checked and false: not genuine, a bad signature, or, once there are session keys, "
          + "answers that are not authentic or malformed")
    case .serverRefused:
      Bilingual(
        it: "rifiutato dal server: identity provider o servizio, o consenso non dato",
        en: "refused by the server: identity provider or service, or consent was not given")
    case .notCarried:
      Bilingual(
        it:
          "il lettore o la carta non ce la fa: lunghezza, o un comando rifiutato dopo le chiavi di "
          + "sessione",
        en:
          "the reader or the card cannot carry it: length, or a command refused behind the session "
          + "keys")
    case .couldNotCheck:
      Bilingual(
        it: "non si è potuto controllare: niente è falso, ma manca la prova",
        en: "could not be checked: nothing is false, but proof is missing")
    case .network:
      Bilingual(
        it:
          "errore di rete: nessun collegamento, nessuna risposta in tempo, un proxy che non lascia "
          + "passare, TLS che fallisce; o il tempo di `--deadline` è finito",
        en:
          "the network failed: no connection, no answer in time, a proxy that does not let through, "
          + "a TLS connection that fails; or the run's `--deadline` is over")
    case .untrustedRequest:
      Bilingual(
        it: "richiesta non affidabile o malformata: un link o un indirizzo che non è di questo "
          + "accesso, un server il cui certificato non è fidato",
        en:
          "untrusted or malformed request: a link or an address that does not belong to the login, "
          + "a server whose certificate is not trusted")
    case .usage:
      Bilingual(
        it: "riga di comando, PIN o file che non si può usare; la carta non è stata interrogata, o "
          + "una registrazione non va bene",
        en: "a command line, a PIN entry or an input file that cannot be used; the card was not "
          + "asked, or a recording did not fit")
    case .hungUp: Bilingual(it: "terminato da SIGHUP", en: "ended by SIGHUP")
    case .interrupted: Bilingual(it: "terminato da SIGINT", en: "ended by SIGINT")
    case .quit: Bilingual(it: "terminato da SIGQUIT", en: "ended by SIGQUIT")
    case .terminated: Bilingual(it: "terminato da SIGTERM", en: "ended by SIGTERM")
    }
  }
}
