import RedirectFlow

/// How logins fail. No text repeats what a server or a link said, except hosts and marked, shortened texts.
extension Diagnosis {
  init(_ error: LoginError) {
    switch error {
    case .http(let error, let stage): self.init(error, at: stage)
    case .status(let status, let stage):
      self = .refused(
        "http-\(status)", it: "Il server ha risposto con lo stato \(status) (\(stage.rawValue)).",
        en: "The server answered with status \(status) (\(stage.rawValue)).")
    case .navigation(let problem, let stage): self.init(problem, at: stage)
    case .handOff(let problem): self.init(problem)
    case .noHandOff:
      self = .refused(
        "no-hand-off",
        it: "La pagina di accesso non ha il link per leggere la carta; a un computer non lo si dà.",
        en: "The login page has no link for reading the card; computers do not get one.",
        advice: Bilingual(
          it:
            "Aprirla in un browser che si presenta come telefono, e passare il link a cie-read login.",
          en:
            "Open it in a browser that presents itself as a phone; give its link to cie-read login."
        ))
    case .noLoginButton:
      self = .refused(
        "no-login-button", it: "La pagina del servizio non ha il pulsante «Entra con CIE».",
        en: "The service's page has no button \"Entra con CIE\".",
        advice: Bilingual(
          it: "Indicare con --sp-url la pagina che lo ha.",
          en: "Name the page that has it with --sp-url."))
    case .page(let error, let stage):
      self = .refused(
        error == .empty ? "page-empty" : "page-unreadable",
        it: "Una pagina è vuota o illeggibile (\(stage.rawValue)).",
        en: "A page is empty or cannot be read (\(stage.rawValue)).")
    case .unexpectedPage(let stage):
      self = .refused(
        "unexpected-page", it: "Una pagina non ha la forma attesa (\(stage.rawValue)).",
        en: "A page does not have the expected form (\(stage.rawValue)).")
    case .errorPage(let code, _): self = .errorPage(code)
    case .response, .refusedByIdentityProvider, .receiver, .notLoggedIn, .consentUnlisted,
      .handOffElsewhere:
      self = .ofAnswer(error)
    case .code(let problem): self.init(problem)
    case .emptyChallenge:
      self = .refused(
        "challenge-empty", it: "Il server non ha mandato niente da firmare.",
        en: "The server sent nothing to sign.")
    case .refusedByServiceProvider(let status):
      self = .refused(
        "service-refused", it: "Il servizio non ha concesso l'accesso (stato \(status)).",
        en: "The service did not let you in (status \(status)).")
    case .consentDenied:
      self = .refused(
        "consent-denied", it: "Consenso negato: non è stato inviato niente.",
        en: "Consent was denied: nothing was sent.",
        advice: Bilingual(
          it: "Per acconsentire: rispondere sì, o --consent yes.",
          en: "To consent: answer yes, or --consent yes."))
    case .needsApp, .listener, .qrCode, .appReturn, .app: self = .ofApp(error)
    case .card(let error): self.init(error, signal: nil)
    case .channel(let error): self.init(error, signal: nil)
    case .cancelled:
      self = .refused(
        "login-cancelled", it: "Accesso annullato.", en: "The login was cancelled.")
    case .host, .used:
      self.init(
        .internalFailure, "login-failed",
        what: Bilingual(it: "L'accesso non è proseguito.", en: "The login did not go on."),
        advice: .again)
    }
  }

  /// Refused by a server, or by a person in front of it.
  static func refused(
    _ name: String, it: String, en: String, advice: Bilingual = .again
  ) -> Diagnosis {
    Diagnosis(.serverRefused, name, what: Bilingual(it: it, en: en), advice: advice)
  }

  /// Not to be trusted, or not to be understood.
  static func untrusted(_ name: String, it: String, en: String) -> Diagnosis {
    Diagnosis(
      .untrustedRequest, name, what: Bilingual(it: it, en: en),
      advice: Bilingual(
        it: "Non fidarsi di chi ha dato questo indirizzo; ricominciare dal sito del servizio.",
        en: "Do not trust whoever gave this address; begin again at the service's site."))
  }

  private init(_ problem: LoginCodeProblem) {
    let name =
      switch problem {
      case .empty: "code-empty"
      case .tooLong: "code-too-long"
      case .noMarker: "code-unmarked"
      case .notDigits: "code-not-digits"
      case .wrongLength: "code-length"
      }
    self = .refused(
      name, it: "La risposta del server alla carta non è un codice valido.",
      en: "The server's answer to the card is no valid code.")
  }
}

extension Bilingual {
  static let again = Bilingual(
    it: "Ricominciare dalla pagina del servizio.", en: "Begin again at the service's page.")
}
