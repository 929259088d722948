import RedirectFlow

/// Links and places that are not trusted.
extension Diagnosis {
  init(_ problem: NavigationProblem, at stage: LoginStage) {
    switch problem {
    case .url:
      self = .untrusted(
        "url-malformed", it: "Un indirizzo non è accettabile (\(stage.rawValue)).",
        en: "An address is not acceptable (\(stage.rawValue)).")
    case .notHTTPS:
      self = .untrusted(
        "not-https", it: "Il percorso lascia https (\(stage.rawValue)).",
        en: "The way leaves https (\(stage.rawValue)).")
    case .leftEnvironment(let origin):
      self = .untrusted(
        "left-environment",
        it: "L'identity provider rimanda a un host che non è suo: \(origin).",
        en: "The identity provider redirects to a host that is not its own: \(origin).")
    case .otherEnvironment(let origin):
      self = .untrusted(
        "other-environment",
        it: "Il servizio usa un altro ambiente da quello scelto: \(origin).",
        en: "The service uses another environment than the chosen one: \(origin).")
    case .tooManyHops:
      self = .refused(
        "too-many-redirects", it: "Il server continua a rimandare altrove (\(stage.rawValue)).",
        en: "The server keeps redirecting (\(stage.rawValue)).")
    }
  }

  init(_ problem: HandOffProblem) {
    switch problem {
    case .url:
      self = .link(
        "malformed", it: "non è un indirizzo accettabile", en: "is no acceptable address")
    case .notHTTPS: self = .link("not-https", it: "non è https", en: "is not https")
    case .foreignHost(let origin):
      self = .link(
        "foreign-host", it: "è di un host che non c'entra: \(origin)",
        en: "is of a host that has no part in it: \(origin)")
    case .notAHandOff: self = .pageWithoutLink
    case .missingParameter(let name):
      self = .link("missing-parameter", it: "non ha «\(name)»", en: "has no \"\(name)\"")
    case .repeatedParameter:
      self = .link("repeated-parameter", it: "ripete un parametro", en: "repeats a parameter")
    case .injectedParameter:
      self = .link(
        "injected-parameter", it: "ha un parametro che nessun link ha",
        en: "has a parameter that no link has")
    case .malformedParameter:
      self = .link(
        "malformed-parameter", it: "ha un parametro inammissibile",
        en: "has an inadmissible parameter")
    case .nestedURL, .nestedNotHTTPS:
      self = .link(
        "nested-malformed", it: "rimanda a un indirizzo inaccettabile",
        en: "leads on to an unacceptable address")
    case .nestedElsewhere(_, let origin):
      self = .link(
        "nested-elsewhere", it: "manderebbe l'accesso a \(origin)",
        en: "would send the login to \(origin)")
    case .nestedPath, .nestedQuery:
      self = .link(
        "nested-path", it: "manderebbe l'accesso a una pagina sconosciuta",
        en: "would send the login to an unknown page")
    }
  }

  /// A page of the right identity provider: nothing to distrust, only not what is needed.
  private static var pageWithoutLink: Diagnosis {
    Diagnosis(
      .usage, "page-without-link",
      what: Bilingual(
        it: """
          Questo è l'indirizzo di una pagina dell'identity provider, non il link con cui passa \
          l'accesso alla carta: a un browser da computer quel link non lo dà.
          """,
        en: """
          This is the address of a page of the identity provider, not the link by which it hands \
          the login to the card: a computer's browser is given none.
          """),
      advice: Bilingual(
        it: """
          Far vedere la pagina come a un telefono (negli strumenti di sviluppo del browser), copiare \
          il link «Entra con lettura carta CIE»; oppure usare --sp-url.
          """,
        en: """
          Show the page as a phone sees it (in the browser's developer tools), copy the link \
          "Entra con lettura carta CIE"; or use --sp-url.
          """))
  }

  private static func link(_ name: String, it: String, en: String) -> Diagnosis {
    untrusted("link-\(name)", it: "Il link \(it).", en: "The link \(en).")
  }

  /// The file of `--environment`.
  init(_ error: EnvironmentError, path: String) {
    let detail = error.detail
    self.init(
      .usage, "environment-invalid",
      what: Bilingual(
        it: "\(path) non è un ambiente (\(detail)).", en: "\(path) is no environment (\(detail))."),
      advice: Bilingual(
        it: "production, preproduction, collaudo, o un file come nel README.",
        en: "production, preproduction, collaudo, or a file as in the README."))
  }
}

extension EnvironmentError {
  fileprivate var detail: String {
    switch self {
    case .unreadable(let code): systemMessage(code)
    case .tooLarge: "too large"
    case .notJSON(let offset): "no JSON at byte \(offset)"
    case .notAnObject: "no JSON object"
    case .unknownMember(let name): "unknown \(name)"
    case .repeatedMember(let name): "repeated \(name)"
    case .missingMember(let name): "no \(name)"
    case .wrongType(let name): "type of \(name)"
    case .invalidName: "name"
    case .url(let name, _): "URL in \(name)"
    case .notHTTPS(let name): "\(name) not https"
    case .notABase: "idp"
    case .builtInHost(let host): "reserved host \(host)"
    case .invalidPath(let path): "path \(path)"
    case .unknownMethod(let name): "method \(name)"
    }
  }
}
