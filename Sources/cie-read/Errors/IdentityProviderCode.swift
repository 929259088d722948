/// The CIE identity provider's error codes (cie-eid-saml-docs, codici di errore): 19, 20 and 24 are reserved.
enum IdentityProviderCode: Int, CaseIterable, Sendable {
  case success = 1
  case unavailable = 2
  case systemError = 3
  case binding = 4
  case redirectSignature = 5
  case method = 6
  case postSignature = 7
  case request = 8
  case version = 9
  case issuer = 10
  case identifier = 11
  case context = 12
  case issueInstant = 13
  case destination = 14
  case passive = 15
  case consumerService = 16
  case nameIDPolicy = 17
  case attributeService = 18
  case timeout = 21
  case consentRefused = 22
  case cardInvalid = 23
  case cancelled = 25

  /// As in `nr08`.
  var name: String { rawValue < 10 ? "nr0\(rawValue)" : "nr\(rawValue)" }

  /// What it means.
  var meaning: Bilingual {
    switch self {
    case .success: Bilingual(it: "autenticazione riuscita", en: "authenticated")
    case .unavailable: Bilingual(it: "sistema non disponibile", en: "system unavailable")
    case .systemError: Bilingual(it: "errore di sistema", en: "system error")
    case .binding:
      Bilingual(it: "richiesta nel formato sbagliato", en: "request of the wrong format")
    case .redirectSignature, .postSignature:
      Bilingual(it: "firma della richiesta non valida", en: "signature of the request not valid")
    case .method: Bilingual(it: "metodo HTTP non ammesso", en: "HTTP method not allowed")
    case .request: Bilingual(it: "richiesta SAML non valida", en: "SAML request not valid")
    case .version: Bilingual(it: "versione SAML non ammessa", en: "SAML version not allowed")
    case .issuer: Bilingual(it: "servizio sconosciuto", en: "unknown service")
    case .identifier:
      Bilingual(it: "identificatore della richiesta non valido", en: "ID of the request not valid")
    case .context:
      Bilingual(it: "livello di accesso non previsto", en: "level of login not supported")
    case .issueInstant:
      Bilingual(it: "ora della richiesta non valida", en: "time of the request not valid")
    case .destination:
      Bilingual(it: "destinazione della richiesta errata", en: "destination of the request wrong")
    case .passive: Bilingual(it: "accesso passivo non ammesso", en: "passive login not allowed")
    case .consumerService:
      Bilingual(it: "indirizzo di risposta non valido", en: "address for the response not valid")
    case .nameIDPolicy: Bilingual(it: "NameIDPolicy non valida", en: "NameIDPolicy not valid")
    case .attributeService:
      Bilingual(it: "insieme di dati non valido", en: "set of attributes not valid")
    case .timeout: Bilingual(it: "tempo scaduto", en: "time ran out")
    case .consentRefused: Bilingual(it: "consenso negato", en: "consent refused")
    case .cardInvalid:
      Bilingual(it: "carta scaduta o revocata", en: "card expired or revoked")
    case .cancelled: Bilingual(it: "operazione annullata", en: "operation cancelled")
    }
  }

  /// What to do.
  var advice: Bilingual {
    switch self {
    case .unavailable, .systemError:
      Bilingual(it: "Riprovare più tardi.", en: "Try again later.")
    case .binding, .redirectSignature, .method, .postSignature, .request, .version, .issuer,
      .identifier, .context, .issueInstant, .destination, .passive, .consumerService,
      .nameIDPolicy, .attributeService:
      Bilingual(
        it: "È il servizio a sbagliare la richiesta: segnalarglielo.",
        en: "It is the service that makes a wrong request: let it know.")
    case .cardInvalid: .newCard
    case .success, .timeout, .consentRefused, .cancelled: .again
    }
  }
}
