import RedirectFlow

extension LoginEvent {
  /// What the login is doing, as a line of progress.
  var text: Bilingual {
    switch self {
    case .opening(let origin): Bilingual(it: "Apro \(origin)", en: "Opening \(origin)")
    case .reachedIdentityProvider(let origin):
      Bilingual(it: "Identity provider: \(origin)", en: "Identity provider: \(origin)")
    case .handOff: Bilingual(it: "Link riconosciuto", en: "The link was recognised")
    case .presentingCertificate(let origin):
      Bilingual(it: "La carta per \(origin)", en: "The card for \(origin)")
    case .cardAccepted:
      Bilingual(it: "Il server ha accettato la carta", en: "The server accepted the card")
    case .appReturned: Bilingual(it: "L'app ha risposto", en: "The app has answered")
    case .consentAsked(let count):
      Bilingual(it: "Consenso a \(count) dati", en: "Consent to \(count) attributes")
    case .consentAnswered(true): Bilingual(it: "Consenso dato", en: "Consent given")
    case .consentAnswered(false): Bilingual(it: "Consenso negato", en: "Consent denied")
    case .responding(let origin):
      Bilingual(it: "Risposta a \(origin)", en: "Responding to \(origin)")
    case .loggedIn(let origin): Bilingual(it: "Dentro: \(origin)", en: "Logged in: \(origin)")
    }
  }
}
