import CIECard

extension Diagnosis {
  /// The card spoke, or fell silent, at some step.
  init(_ error: CardError, signal: Int32?) {
    self.init(error.reason, at: error.step, signal: signal)
    step = error.step
    if error.leavesTryInDoubt { advice = Self.codeAdvice }
    switch error.reason {
    case .notACIE(let status), .refused(let status), .notBelieved(.unprotected(let status)),
      .channelEnded(let status), .accessRefused(_, let status):
      statusWord = status
    case .wrongCode(_, let tries):
      triesLeft = tries
      statusWord = tries.map { .triesLeft(UInt8(clamping: $0)) }
    case .wrongAccessCode(_, let tries):
      triesLeft = tries
      statusWord = tries.map { .triesLeft(UInt8(clamping: $0)) } ?? .authenticationFailed
    case .extendedLengthNeeded(let status): statusWord = status
    case .blocked, .accessCodeBlocked: triesLeft = 0
    case .lastTryRefused, .lastAccessTryRefused: triesLeft = 1
    case .channel, .malformed, .notBelieved, .endlessAnswer, .unsafeParameters, .chipNotAuthentic,
      .noAccessProtocol, .signatureFalse, .certificate, .crypto, .notGenuine,
      .genuinenessUnknown, .outcomeUnknown:
      break
    }
  }

  private init(_ reason: CardError.Reason, at step: Step, signal: Int32?) {
    switch reason {
    case .channel(let error): self.init(error, signal: signal)
    case .crypto(let error): self.init(.crypto(error))
    case .notACIE:
      self.init(
        .notACIE, "not-a-cie",
        what: Bilingual(
          it: "Sul lettore c'è una carta, ma non è una CIE.",
          en: "There is a card on the reader, but it is no CIE."),
        advice: Bilingual(
          it: "Appoggiare una carta d'identità elettronica 3.0.",
          en: "Put an Italian electronic identity card (CIE 3.0) on the reader."))
    case .refused(.wrongLength) where step == .verifyPIN || step == .verifyPUK:
      self = .lengthOfCode(.wrongLength)
    case .refused(let status): self = .refused(status, at: step)
    case .malformed(let form): self = .malformed("malformed", form.rawValue, at: step)
    case .endlessAnswer: self = .malformed("endless-answer", "endless", at: step)
    case .certificate: self = .malformed("certificate-malformed", "certificate", at: step)
    case .notBelieved:
      self = .fraud(
        "not-believed",
        it: "Una risposta nel canale sicuro non è autentica; il canale è stato chiuso.",
        en: "An answer in the secure channel is not authentic; the channel was closed.")
    case .channelEnded(let status): self = .channelEnded(status, at: step)
    case .unsafeParameters(let which):
      self = .fraud(
        "unsafe-parameters",
        it: "La carta propone parametri crittografici insicuri (\(which.rawValue)).",
        en: "The card offers unsafe cryptographic parameters (\(which.rawValue)).")
    case .chipNotAuthentic:
      self = .fraud(
        "chip-not-authentic", it: "Il chip non ha provato di possedere la propria chiave.",
        en: "The chip did not prove that it holds its key.")
    case .notGenuine(let verdict): self = .notGenuine(verdict)
    case .genuinenessUnknown(let obstacle): self = .genuinenessUnknown(obstacle)
    case .outcomeUnknown(let cause):
      self = .outcomeUnknown(because: Diagnosis(cause, at: step, signal: signal))
    case .signatureFalse:
      self = .fraud(
        "signature-false", it: "La firma della carta non corrisponde al suo certificato.",
        en: "The card's signature does not fit its certificate.")
    case .wrongCode(let kind, let tries): self = .wrong(kind, tries)
    case .blocked(let kind): self = .blocked(kind)
    case .lastTryRefused(let kind): self = .lastTry(kind)
    case .wrongAccessCode(let kind, let tries): self = .wrongAccess(kind, tries)
    case .accessRefused(let kind, let status): self = .refusedAccess(kind, status)
    case .accessCodeBlocked(let kind): self = .blockedAccess(kind)
    case .lastAccessTryRefused(let kind): self = .lastAccessTry(kind)
    case .extendedLengthNeeded: self = .extendedLengthNeeded
    case .noAccessProtocol: self = .noAccessProtocol
    }
  }

  private static func fraud(_ name: String, it: String, en: String) -> Diagnosis {
    Diagnosis(
      .false, name, what: Bilingual(it: it, en: en),
      advice: Bilingual(
        it: "Riprovare una volta; se si ripete, non fidarsi della carta né del lettore.",
        en: "Try once more; if it happens again, trust neither the card nor the reader."))
  }

  private static func refused(_ status: StatusWord, at step: Step) -> Diagnosis {
    Diagnosis(
      step.isBehindKeys ? .notCarried : .notACIE, "refused",
      what: Bilingual(
        it: "La carta ha rifiutato un comando (\(status)).",
        en: "The card refused a command (\(status))."),
      advice: Bilingual(
        it: "Questa carta non offre la funzione, oppure non è una CIE 3.0.",
        en: "This card does not offer the function, or it is no CIE 3.0."))
  }

  private static func malformed(_ name: String, _ detail: String, at step: Step) -> Diagnosis {
    Diagnosis(
      step.isBehindKeys ? .false : .notACIE, name,
      what: Bilingual(
        it: "Una risposta della carta non ha la forma prescritta (\(detail)).",
        en: "An answer of the card does not have the form that it must have (\(detail))."),
      advice: Bilingual(
        it: "Riappoggiare la carta; se si ripete, è difettosa o non è una CIE.",
        en: "Put the card on the reader again; if it happens again, it is faulty or no CIE."))
  }
}
