import RedirectFlow

/// Logins of levels 1 and 2, which end in the app.
extension Diagnosis {
  static func ofApp(_ error: LoginError) -> Diagnosis {
    switch error {
    case .needsApp:
      refused(
        "needs-app", it: "Questo accesso si fa con l'app CieID, non con la carta.",
        en: "This login is done with the CieID app, not with the card.")
    case .listener(.timedOut):
      Diagnosis(
        .network, "app-timeout",
        what: Bilingual(
          it: "Dall'app non è tornato niente in tempo.",
          en: "Nothing came back from the app in time."), advice: .again)
    case .listener(.tooManyRequests):
      untrusted(
        "return-guessed",
        it: "Qualcosa su questo computer prova a indovinare l'indirizzo di ritorno.",
        en: "Something on this machine is guessing the return address.")
    case .listener(let error):
      Diagnosis(
        .internalFailure, "listener-failed",
        what: Bilingual(
          it: "Non si riesce ad aspettare il ritorno dall'app (\(error.summary)).",
          en: "The return from the app cannot be waited for (\(error.summary))."),
        advice: Bilingual(it: "Provare --return stdin.", en: "Try --return stdin."))
    case .qrCode:
      refused(
        "link-too-long", it: "Il link è troppo lungo per un codice QR.",
        en: "The link is too long for a QR code.")
    case .appReturn(let problem):
      untrusted(
        "return-\(problem.name)", it: "L'indirizzo tornato dall'app non è una risposta valida.",
        en: "The address that came back from the app is no valid answer.")
    case .app(let failure): .failed(failure)
    default: Diagnosis(error)
    }
  }

  private static func failed(_ failure: AppFailure) -> Diagnosis {
    switch failure {
    case .cancelledByUser:
      refused(
        "app-cancelled", it: "Operazione annullata nell'app.",
        en: "The operation was cancelled in the app.")
    case .certificateExpired:
      refused(
        "card-certificate-expired", it: "L'app dice che il certificato della carta è scaduto.",
        en: "The app says that the card's certificate has expired.", advice: .newCard)
    case .certificateRevoked:
      refused(
        "card-certificate-revoked", it: "L'app dice che il certificato della carta è revocato.",
        en: "The app says that the card's certificate was revoked.", advice: .newCard)
    case .invalidOperation:
      refused(
        "app-invalid-operation", it: "L'app dice che l'operazione non è valida.",
        en: "The app says that the operation is not valid.")
    case .unknown:
      refused(
        "app-failed", it: "L'app ha segnalato un errore senza dire quale.",
        en: "The app reported an error without saying which.")
    case .other(let text):
      refused(
        "app-failed", it: "L'app ha segnalato un errore: «\(text.display)».",
        en: "The app reported an error: \"\(text.display)\".")
    }
  }
}

extension ReturnListenerError {
  fileprivate var summary: String {
    switch self {
    case .system(let call, let code): "\(call): \(systemMessage(code))"
    case .random: "random"
    case .timedOut, .cancelled, .ended, .tooManyRequests: "ended"
    }
  }
}

extension ReturnProblem {
  fileprivate var name: String {
    switch self {
    case .url: "malformed"
    case .notHTTPS: "not-https"
    case .foreignHost: "foreign-host"
    case .unknownPage: "unknown-page"
    case .missingParameter: "missing-parameter"
    case .repeatedParameter: "repeated-parameter"
    case .unexpectedParameter: "unexpected-parameter"
    case .malformedParameter: "malformed-parameter"
    case .otherSession: "other-session"
    }
  }
}

extension Bilingual {
  static let newCard = Bilingual(
    it: "Rivolgersi al Comune: serve una nuova carta.",
    en: "Turn to the municipality: a new card is needed.")
}
