import RedirectFlow

/// Proxies that a login does not get through.
extension Diagnosis {
  init(_ problem: ProxyProblem, at host: String) {
    let (name, it, en) = problem.words
    self.init(
      .network, "proxy-\(name)",
      what: host.isEmpty
        ? Bilingual(it: "Il proxy \(it).", en: "The proxy \(en).")
        : Bilingual(it: "Il proxy \(host) \(it).", en: "The proxy \(host) \(en)."),
      advice: Bilingual(
        it: "Controllare HTTPS_PROXY, ALL_PROXY e NO_PROXY, o chiedere a chi gestisce la rete.",
        en: "Check HTTPS_PROXY, ALL_PROXY and NO_PROXY, or ask whoever runs the network."))
  }
}

extension ProxyProblem {
  fileprivate var words: (name: String, it: String, en: String) {
    switch self {
    case .unusable:
      ("unusable", "indicato nell'ambiente non è utilizzabile", "of the environment cannot be used")
    case .resolve: ("unknown", "non si trova: nome ignoto", "is not found: its name is unknown")
    case .connect: ("not-connected", "non è raggiungibile", "cannot be reached")
    case .timeout: ("timeout", "non ha risposto in tempo", "did not answer in time")
    case .authenticationRequired:
      (
        "authentication", "vuole nome utente e password (stato 407)",
        "wants a user name and a password (status 407)"
      )
    case .refused(let status):
      (
        "refused", "non lascia passare verso il server (stato \(status))",
        "does not let through to the server (status \(status))"
      )
    case .certificate(let problem):
      {
        let (name, words) = problem.words
        return (
          "certificate-\(name)", "ha un certificato che \(words(.italian))",
          "has a certificate that \(words(.english))"
        )
      }()
    case .failed: ("failed", "ha chiuso la connessione", "ended the connection")
    }
  }
}

extension ServerCertificateProblem {
  /// A part of a stable name, and what goes after "the certificate".
  var words: (name: String, text: Bilingual) {
    switch self {
    case .expired: ("expired", Bilingual(it: "è scaduto", en: "has expired"))
    case .notYetValid:
      ("not-yet-valid", Bilingual(it: "non vale ancora", en: "is not valid yet"))
    case .wrongHost:
      ("wrong-host", Bilingual(it: "è di un altro host", en: "belongs to another host"))
    case .unknownAuthority:
      (
        "unknown-authority",
        Bilingual(it: "non viene da un'autorità nota", en: "is from no known authority")
      )
    case .other(let code):
      ("invalid", Bilingual(it: "non è valido (\(code))", en: "is not valid (\(code))"))
    }
  }
}
