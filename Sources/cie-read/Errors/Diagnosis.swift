import CIECard
import Glibc

/// A failure as people and scripts get it: exit status, stable name, what happened, what to do.
struct Diagnosis: Sendable {
  let exit: ExitStatus
  /// The name that scripts may rely on.
  let name: String
  let what: Bilingual
  var advice: Bilingual
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
    case .expired(let day): self = .expired(day)
    case .validityUnknown: self = .validityUnknown
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
}

extension CryptoError {
  /// Operation and reason in one line; neither ever holds key material.
  var summary: String { reason.isEmpty ? operation : "\(operation): \(reason)" }
}

/// What the system says of an error number.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
