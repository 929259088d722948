import ArgumentParser
import RedirectFlow

/// What a login is to be like.
struct LoginOptions: ParsableArguments {
  @Option(
    help: .text(
      it: "Pagina del servizio: tutto l'accesso avviene qui, senza browser.",
      en: "The service's page: the whole login happens here, without a browser.", value: "url"))
  var spUrl: String?

  @Option(
    help: .text(
      it: "Ambiente: production, preproduction, collaudo o un file JSON.",
      en: "Environment: production, preproduction, collaudo or a JSON file.", value: "name|file"))
  var environment: String?

  @Option(
    help: .text(
      it: "Quali link passano l'accesso alla carta o all'app.",
      en: "Which links hand the login to the card or the app.", value: "policy"))
  var policy = PolicyOption.default

  @Option(
    help: .text(
      it: "Consenso a comunicare i dati al servizio (altrimenti ask su un terminale, o no).",
      en: "Consent to telling the service the data (else ask on a terminal, or no).",
      value: "consent"))
  var consent: ConsentOption?

  @Option(
    help: .text(
      it: "Scrive i cookie della sessione, in formato Netscape, leggibili solo da te.",
      en: "Write the session's cookies, in Netscape format, readable only by you.", value: "file"))
  var cookies: String?

  @Option(
    name: .customLong("return"),
    help: .text(
      it: "Come torna l'indirizzo dall'app, ai livelli 1 e 2.",
      en: "How the address comes back from the app, at levels 1 and 2.", value: "channel"))
  var `return` = ReturnOption.loopback

  @Option(
    help: .text(
      it: "Scrive il link per l'app come codice QR (SVG).",
      en: "Write the link for the app as a QR code (SVG).", value: "file"))
  var qr: String?

  @Option(
    help: .text(
      it: "Secondi per ogni risposta di un server.", en: "Seconds for each answer of a server.",
      value: "seconds"))
  var timeout = 30

  @Option(
    help: .text(
      it: "Secondi per tutto l'accesso, anche per chi risponde alle domande.",
      en: "Seconds for the whole login, for whoever answers the questions too.",
      value: "seconds"))
  var deadline = 180

  @Flag(
    help: .text(
      it: "Racconta ogni passo sullo standard error.",
      en: "Tell each step on standard error."))
  var verbose = false

  @Option(
    help: .text(
      it: "File con SP_URL, SP_URL_SCHEME e CIE_ENVIRONMENT, uno per riga: NOME=VALORE.",
      en: "File with SP_URL, SP_URL_SCHEME and CIE_ENVIRONMENT, one a line: NAME=VALUE.",
      value: "file"))
  var config: String?
}

/// The navigation policies of the CieID iOS SDK.
enum PolicyOption: String, CaseIterable, ExpressibleByArgument {
  case `default`
  case universal

  var policy: NavigationPolicy {
    switch self {
    case .default: .default
    case .universal: .universal
    }
  }
}

/// Who answers the question for consent.
enum ConsentOption: String, CaseIterable, ExpressibleByArgument {
  case yes
  case no
  case ask
}

/// How the app's answer comes back.
enum ReturnOption: String, CaseIterable, ExpressibleByArgument {
  case loopback
  case stdin
}
