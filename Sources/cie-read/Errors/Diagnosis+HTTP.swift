import RedirectFlow

/// Exchanges with servers that failed.
extension Diagnosis {
  init(_ error: HTTPError, at stage: LoginStage) {
    switch error {
    case .resolve(let host):
      self = .network(
        "host-unknown", it: "Il nome \(host) non porta a nessun server.",
        en: "The name \(host) leads to no server.")
    case .connect(let host):
      self = .network(
        "not-connected", it: "Il server \(host) non è raggiungibile.",
        en: "The server \(host) cannot be reached.")
    case .proxy(let problem, let host): self.init(problem, at: host)
    case .disconnected:
      self = .network(
        "disconnected", it: "La connessione è finita prima della risposta (\(stage.rawValue)).",
        en: "The connection ended before the answer (\(stage.rawValue)).")
    case .timeout:
      self = .network(
        "timeout", it: "Il server non ha risposto in tempo (\(stage.rawValue)).",
        en: "The server did not answer in time (\(stage.rawValue)).",
        advice: Bilingual(
          it: "Riprovare, o dare più tempo con --timeout SECONDI.",
          en: "Try again, or give more time with --timeout SECONDS."))
    case .malformedResponse:
      self = .network(
        "not-http", it: "La risposta del server non è HTTP (\(stage.rawValue)).",
        en: "The server's answer is not HTTP (\(stage.rawValue)).")
    case .handshake(let alert):
      let number = alert.map { ", alert \($0)" } ?? ""
      self = .network(
        "tls-failed", it: "La connessione TLS non è riuscita (\(stage.rawValue)\(number)).",
        en: "The TLS connection failed (\(stage.rawValue)\(number)).")
    case .headersTooLong:
      self = .refused(
        "headers-too-long", it: "L'intestazione della risposta è troppo lunga (\(stage.rawValue)).",
        en: "The answer's header is too long (\(stage.rawValue)).")
    case .bodyTooLarge:
      self = .refused(
        "body-too-large", it: "La risposta del server è troppo grande (\(stage.rawValue)).",
        en: "The server's answer is too large (\(stage.rawValue)).")
    case .serverCertificate(let problem): self.init(problem)
    case .unusableURL:
      self = .untrusted(
        "url-unusable", it: "Un indirizzo del percorso non è utilizzabile.",
        en: "An address on the way cannot be used.")
    case .serverDemandsTLS13:
      self = .demand("server-demands-tls13", it: "parla solo TLS 1.3", en: "speaks TLS 1.3 only")
    case .serverWithoutForwardSecrecy:
      self = .refused(
        "server-without-forward-secrecy",
        it: """
          Il server propone solo lo scambio di chiavi RSA: proverebbe chi è solo dopo la firma \
          della carta. La carta non ha firmato.
          """,
        en: """
          The server offers RSA key exchange only: it would prove who it is only after the card's \
          signature. The card has signed nothing.
          """,
        advice: Bilingual(
          it: "Chi gestisce il server deve attivare ECDHE o DHE per TLS 1.2.",
          en: "Whoever runs the server must enable ECDHE or DHE for TLS 1.2."))
    case .serverDemandsPSS:
      self = .demand(
        "server-demands-pss", it: "vuole firme RSA-PSS", en: "wants RSA-PSS signatures")
    case .serverDemandsOtherSignature:
      self = .demand(
        "server-demands-other-signature", it: "vuole firme di altro tipo",
        en: "wants signatures of another kind")
    case .secondSignatureRefused:
      self = .demand(
        "server-demands-second-signature", it: "ha chiesto una seconda firma",
        en: "asked for a second signature")
    case .certificateNotRequested(let status):
      self = .refused(
        "certificate-not-requested",
        it: "Il server non ha chiesto il certificato della carta (stato \(status)).",
        en: "The server did not ask for the card's certificate (status \(status)).")
    case .cardCertificateExpired, .cardCertificateRevoked, .cardCertificateUnknownAuthority,
      .cardCertificateRefused:
      self = .cardRefused(error)
    case .trustFile(let path):
      self.init(
        .usage, "ca-unusable",
        what: Bilingual(
          it: "\(path) non contiene certificati utilizzabili.",
          en: "\(path) holds no usable certificates."),
        advice: Bilingual(
          it: "Controllare «ca» nel file di --environment.",
          en: "Check \"ca\" in the file of --environment."))
    case .card(let error): self.init(error, signal: nil)
    case .cancelled: self = .interrupted(by: nil)
    case .library(let code):
      self.init(
        .internalFailure, "http-library",
        what: Bilingual(
          it: "libcurl ha rifiutato un'operazione (codice \(code)).",
          en: "libcurl refused an operation (code \(code))."),
        advice: Bilingual(
          it: "Controllare l'installazione di libcurl.", en: "Check the installation of libcurl."))
    }
  }

  private init(_ problem: ServerCertificateProblem) {
    let (name, words) = problem.words
    self = .untrusted(
      "server-certificate-\(name)",
      it: "Il certificato del server \(words(.italian)); non gli è stato mandato niente.",
      en: "The server's certificate \(words(.english)); it was sent nothing.")
  }

  private static func cardRefused(_ error: HTTPError) -> Diagnosis {
    let (name, it, en) =
      switch error {
      case .cardCertificateExpired:
        ("card-certificate-expired", "è scaduto", "has expired")
      case .cardCertificateRevoked:
        ("card-certificate-revoked", "è revocato", "was revoked")
      case .cardCertificateUnknownAuthority:
        (
          "card-certificate-unknown-authority", "è di un'autorità ignota",
          "is of an unknown authority"
        )
      case .cardCertificateRefused(let alert):
        ("card-certificate-refused", "non va bene (alert \(alert))", "is not good (alert \(alert))")
      default: ("card-certificate-refused", "non va bene", "is not good")
      }
    return refused(
      name, it: "Il server dice che il certificato della carta \(it).",
      en: "The server says that the card's certificate \(en).", advice: .newCard)
  }

  private static func network(
    _ name: String, it: String, en: String, advice: Bilingual? = nil
  ) -> Diagnosis {
    Diagnosis(
      .network, name, what: Bilingual(it: it, en: en),
      advice: advice
        ?? Bilingual(
          it: "Controllare la rete e riprovare.", en: "Check the network and try again."))
  }

  private static func demand(_ name: String, it: String, en: String) -> Diagnosis {
    Diagnosis(
      .serverRefused, name,
      what: Bilingual(
        it: "Il server \(it): la carta non può (TLS 1.2, RSA PKCS#1 v1.5).",
        en: "The server \(en): the card cannot (TLS 1.2, RSA PKCS#1 v1.5)."),
      advice: Bilingual(
        it: "Se il server lo prevede, provare \"method\": \"signed-challenge\" nell'ambiente.",
        en: "If the server knows it, try \"method\": \"signed-challenge\" in the environment."))
  }
}
