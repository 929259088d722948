import CIECard

/// What is not known: whether the chip is the State's, and what became of a code that was sent.
extension Diagnosis {
  /// The State does not vouch for the chip, or it could not be checked and was required.
  static func notGenuine(_ verdict: AuthenticityReport.Verdict) -> Diagnosis {
    Diagnosis(
      .false, "chip-not-genuine",
      what: Bilingual(
        it: "Lo Stato non garantisce per questo chip: \(verdict.because(.italian)).",
        en: "The State does not vouch for this chip: \(verdict.because(.english))."),
      advice: Bilingual(
        it: "Il PIN non è stato inviato. Non fidarsi di questa carta né di questo lettore.",
        en: "No PIN was sent. Trust neither this card nor this reader."))
  }

  /// Required, and not possible.
  static func genuinenessUnknown(_ obstacle: AuthenticityReport.Obstacle) -> Diagnosis {
    Diagnosis(
      .couldNotCheck, "chip-not-checked",
      what: Bilingual(
        it:
          "Non si è potuto controllare che il chip sia dello Stato: \(obstacle.because(.italian)).",
        en: "It could not be checked that the chip is the State's: \(obstacle.because(.english))."),
      advice: Bilingual(
        it: "Il PIN non è stato inviato. --trust aggiunge certificati CSCA; senza "
          + "--require-genuine si va avanti.",
        en: "No PIN was sent. --trust adds CSCA certificates; without --require-genuine it goes on."
      ))
  }

  /// The command that sets a new PIN went out, and what came back, if anything did, proves nothing.
  static func outcomeUnknown(because cause: Diagnosis) -> Diagnosis {
    Diagnosis(
      cause.exit, "pin-outcome-unknown",
      what: Bilingual(
        it: "Il PIN forse è cambiato: il comando era partito. \(cause.what(.italian))",
        en: "The PIN may have been changed: the command had been sent. \(cause.what(.english))"),
      advice: Bilingual(
        it: "Provare prima il PIN nuovo (cie-read pin verify): se è sbagliato costa un tentativo.",
        en: "Try the new PIN first (cie-read pin verify): if it is wrong, that costs a try."))
  }

  /// A length that the card does not take: nothing was compared.
  static func lengthOfCode(_ status: StatusWord) -> Diagnosis {
    Diagnosis(
      .notCarried, "refused",
      what: Bilingual(
        it: "La carta non accetta la lunghezza del comando (\(status)); nessun tentativo è stato "
          + "usato.",
        en: "The card does not take the length of the command (\(status)); no try was spent."),
      advice: Bilingual(
        it: "Provare con un altro lettore, o con --no-extended.",
        en: "Try another reader, or --no-extended."))
  }

  /// Whether the card counted a try nobody knows.
  static let codeAdvice = Bilingual(
    it: "Forse è stato contato un tentativo: controllare il codice prima di riprovare.",
    en: "A try may have been counted: make sure of the code before trying again.")
}

extension CardError {
  /// Whether a code was sent and no answer to it can be believed. A signal before it keeps it from being sent.
  var leavesTryInDoubt: Bool {
    guard step == .verifyPIN || step == .verifyPUK else { return false }
    switch reason {
    case .channel(.withheld): return false
    case .channel, .notBelieved, .channelEnded, .endlessAnswer: return true
    default: return false
    }
  }
}

extension AuthenticityReport.Verdict {
  /// Why it is not proved, in words.
  func because(_ language: Language) -> String { reason?.text(language) ?? word }
}

extension AuthenticityReport.Obstacle {
  /// What was in the way, in words.
  func because(_ language: Language) -> String {
    AuthenticityReport.Verdict.couldNotCheck(self).because(language)
  }
}
