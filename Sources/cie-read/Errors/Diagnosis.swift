import CIECard
import Glibc

/// A failure as people and scripts get it: exit status, stable name, what happened, what to do.
struct Diagnosis: Sendable {
  let exit: ExitStatus
  /// The name that scripts may rely on.
  let name: String
  let what: Bilingual
  let advice: Bilingual
  var step: Step?
  var statusWord: StatusWord?
  var triesLeft: Int?

  init(_ exit: ExitStatus, _ name: String, what: Bilingual, advice: Bilingual) {
    self.exit = exit
    self.name = name
    self.what = what
    self.advice = advice
  }

  /// - Parameter signal: the signal that ended the program, if one did.
  init(_ failure: Failure, signal: Int32? = nil) {
    switch failure {
    case .card(let error): self.init(error, signal: signal)
    case .slowAccess(let error): self = .slowAccess(error)
    case .portrait(let problem): self.init(problem)
    case .channel(let error): self.init(error, signal: signal)
    case .trustStore(let error): self.init(error)
    case .code(let problem): self.init(problem)
    case .usage(let problem): self.init(problem)
    case .file(let problem): self.init(problem)
    case .trace(let error): self.init(error)
    case .crypto(let error): self.init(error)
    case .notProved(let outcome): self.init(outcome)
    case .possibleCopy(let isSaved): self = .possibleCopy(isSaved)
    case .login(let error): self.init(error)
    case .environment(let error, let path): self.init(error, path: path)
    case .interrupted: self = .interrupted(by: signal)
    case .deadline(let seconds):
      self.init(
        .network, "deadline",
        what: Bilingual(
          it: "L'accesso non è finito entro \(seconds) secondi ed è stato interrotto.",
          en: "The login was not finished within \(seconds) seconds and was broken off."),
        advice: Bilingual(
          it: "Ricominciare, o dare più tempo con --deadline SECONDI.",
          en: "Begin again, or give more time with --deadline SECONDS."))
    }
  }

  /// The end by a signal.
  static func interrupted(by signal: Int32?) -> Diagnosis {
    let exit: ExitStatus =
      switch signal {
      case SIGHUP: .hungUp
      case SIGQUIT: .quit
      case SIGTERM: .terminated
      default: .interrupted
      }
    return Diagnosis(
      exit, "interrupted",
      what: Bilingual(it: "Interrotto.", en: "Interrupted."),
      advice: Bilingual(
        it: "La carta è stata rilasciata; si può ricominciare.",
        en: "The card was let go; it can be started again."))
  }

  private init(_ error: CryptoError) {
    self.init(
      .internalFailure, "crypto-failed",
      what: Bilingual(
        it: "La libreria crittografica ha rifiutato un'operazione (\(error.summary)).",
        en: "The cryptography library refused an operation (\(error.summary))."),
      advice: Bilingual(
        it: "Controllare l'installazione di OpenSSL 3 e riprovare.",
        en: "Check the installation of OpenSSL 3 and try again."))
  }

  /// Nothing to be done with other certificates, unlike a chain that is not complete.
  private static func possibleCopy(_ isSaved: Bool) -> Diagnosis {
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

  private init(_ outcome: AuthenticityReport.Outcome) {
    switch outcome {
    case .false:
      self.init(
        .false, "not-authentic",
        what: Bilingual(
          it: "Un controllo di autenticità è risultato falso.",
          en: "A check of authenticity came out false."),
        advice: Bilingual(
          it: "Non fidarsi di questa carta.", en: "Do not trust this card."))
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
}

extension CryptoError {
  /// Operation and reason in one line; neither ever holds key material.
  var summary: String { reason.isEmpty ? operation : "\(operation): \(reason)" }
}

/// What the system says of an error number.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
