import RedirectFlow

/// How a login ends once the identity provider has an answer, or hands the login over where it should not.
extension Diagnosis {
  static func ofAnswer(_ error: LoginError) -> Diagnosis {
    switch error {
    case .refusedByIdentityProvider(let status): .notGranted(status)
    case .notLoggedIn(let sign): .notLoggedIn(sign)
    case .receiver(let problem): .receiver(problem)
    case .response(let problem):
      refused(
        "response-unreadable",
        it:
          "La risposta per il servizio non è SAML leggibile (\(problem.detail)): non è stata inviata.",
        en: "The response for the service is no readable SAML (\(problem.detail)): it was not sent."
      )
    case .consentUnlisted(let origin):
      refused(
        "consent-unlisted",
        it:
          "\(origin) chiede il consenso, ma non si riesce a leggere per quali dati: niente è stato inviato.",
        en: "\(origin) asks for consent, but to which data cannot be read: nothing was sent.",
        advice: Bilingual(
          it: "Accedere con un browser; --save-page FILE conserva la pagina per chi la studia.",
          en: "Log in with a browser; --save-page FILE keeps the page for whoever looks into it."))
    case .handOffElsewhere(let origin):
      untrusted(
        "hand-off-elsewhere",
        it:
          "Il link che passa l'accesso viene da \(origin), non dall'identity provider: è di un altro accesso.",
        en:
          "The link that hands the login over is from \(origin), not from the identity provider: it is another login's."
      )
    default: Diagnosis(error)
    }
  }

  private static func notGranted(_ status: SAMLStatus) -> Diagnosis {
    guard let number = status.errorNumber, let code = IdentityProviderCode(rawValue: number),
      number != 1
    else {
      return refused(
        "service-refused",
        it: "L'identity provider ha risposto al servizio che l'accesso non è riuscito.",
        en: "The identity provider answered the service that the login did not succeed.")
    }
    return refused(
      code.name, it: "Accesso non concesso (\(code.name)): \(code.meaning(.italian)).",
      en: "The login was not granted (\(code.name)): \(code.meaning(.english)).",
      advice: code.advice)
  }

  static func errorPage(_ number: Int?) -> Diagnosis {
    let code = number.flatMap { IdentityProviderCode(rawValue: $0) }
    func detail(_ language: Language) -> String {
      code.map { " (\($0.name)): \($0.meaning(language))" } ?? number.map { " (nr\($0))" } ?? ""
    }
    return refused(
      "idp-error-page",
      it: "L'identity provider mostra una pagina di errore\(detail(.italian)).",
      en: "The identity provider shows an error page\(detail(.english)).",
      advice: code?.advice ?? .again)
  }

  private static func notLoggedIn(_ sign: LoggedOutSign) -> Diagnosis {
    switch sign {
    case .loginButton:
      refused(
        "service-refused",
        it:
          "Il servizio non ha concesso l'accesso: la sua pagina mostra ancora il pulsante per entrare.",
        en: "The service did not let you in: its page still shows the button to log in.",
        advice: .expectation)
    case .noCookie:
      refused(
        "no-session",
        it: "Il servizio non ha aperto una sessione: non ha lasciato alcun cookie.",
        en: "The service opened no session: it left no cookie.", advice: .expectation)
    case .notAsExpected:
      refused(
        "not-as-expected",
        it: "La pagina finale del servizio non è quella che --expect descrive.",
        en: "The service's last page is not the one that --expect describes.",
        advice: Bilingual(
          it: "--save-page FILE conserva la pagina.", en: "--save-page FILE keeps the page."))
    }
  }

  private static func receiver(_ problem: ReceiverProblem) -> Diagnosis {
    switch problem {
    case .notWhereTheLoginBegan(let start, let receiver):
      Diagnosis(
        .untrustedRequest, "receiver-differs",
        what: Bilingual(
          it:
            "I dati andrebbero a \(receiver), ma l'accesso è cominciato da \(start): niente è stato inviato.",
          en: "The data would go to \(receiver), but the login began at \(start): nothing was sent."
        ),
        advice: Bilingual(
          it: "Se è davvero dello stesso servizio, ripetere con --allow-receiver \(receiver).",
          en: "If it really belongs to the same service, repeat with --allow-receiver \(receiver).")
      )
    case .notTheDestination(let receiver, let destination):
      untrusted(
        "destination-differs",
        it:
          "La risposta è per \(destination?.description ?? "nessuno"), ma andrebbe a \(receiver): non è stata inviata.",
        en:
          "The response is for \(destination?.description ?? "nobody"), but would go to \(receiver): it was not sent."
      )
    }
  }
}

extension SAMLProblem {
  fileprivate var detail: String {
    switch self {
    case .notBase64: "base64"
    case .notXML: "XML"
    case .documentType: "DOCTYPE"
    case .tooComplex, .tooLarge: "too large"
    case .notAResponse: "no Response"
    case .noStatus: "no Status"
    }
  }
}

extension Bilingual {
  fileprivate static let expectation = Bilingual(
    it:
      "Riprovare con un browser; se il servizio è così anche a chi è entrato, dirlo con --expect.",
    en: "Try with a browser; if the service is like that for whoever is in, say so with --expect.")
}
