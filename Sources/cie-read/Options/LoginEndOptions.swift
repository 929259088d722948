import ArgumentParser
import RedirectFlow

/// What a login is to end like, and what becomes of its end.
struct LoginEndOptions: ParsableArguments {
  @Option(
    help: .text(
      it: """
        Che aspetto ha il successo, senza browser: text:TESTO della pagina finale, css:SELETTORE \
        (nome, #id, .classe, [attributo=valore], spazio, >, virgola) o url:INDIRIZZO (* alla fine: \
        comunque prosegua); senza prefisso si capisce dalla forma.
        """,
      en: """
        What success looks like, without a browser: text:TEXT of the last page, css:SELECTOR \
        (name, #id, .class, [attribute=value], space, >, comma) or url:ADDRESS (* at its end: \
        however it goes on); without a prefix its form tells.
        """, value: "text|css|url"))
  var expect: String?

  @Option(
    help: .text(
      it: "A chi altro possono andare i dati, oltre al sito da cui si comincia; ripetibile.",
      en: "Who else may get the data, beside the site where the login begins; repeatable.",
      value: "url"))
  var allowReceiver: [String] = []

  @Flag(
    help: .text(
      it: "Mostra i dati comunicati al servizio, non solo i loro nomi.",
      en: "Show the data that the service was told, not only their names."))
  var showAttributes = false

  @Option(
    help: .text(
      it: "Se l'accesso fallisce a una pagina, la conserva qui, leggibile solo da te.",
      en: "If the login fails at a page, keep the page here, readable only by you.", value: "file"))
  var savePage: String?

  @Flag(
    help: .text(
      it: "Con LINK: mette l'indirizzo negli appunti (wl-copy, xclip o xsel) invece di scriverlo.",
      en: "With LINK: put the address on the clipboard (wl-copy, xclip or xsel), do not print it."))
  var copy = false

  @Flag(
    help: .text(
      it: """
        Con LINK: apre l'indirizzo nel browser abituale (xdg-open) invece di scriverlo; finché si \
        avvia, chi usa questa macchina può vederlo tra i processi.
        """,
      en: """
        With LINK: open the address in the usual browser (xdg-open), do not print it; while that \
        starts, whoever uses this machine can see it among the processes.
        """))
  var open = false

  /// The expectation.
  func expectation() throws(Failure) -> LoginExpectation? {
    guard let expect else { return nil }
    do throws(ExpectationProblem) { return try LoginExpectation(expect) } catch {
      throw .usage(.expectation)
    }
  }

  /// The origins of --allow-receiver.
  func receivers() throws(Failure) -> Set<URLOrigin> {
    var origins: Set<URLOrigin> = []
    for text in allowReceiver {
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw .usage(.receiver)
      }
      origins.insert(url.origin)
    }
    return origins
  }

  /// - Throws: `.otherStart` for an option that has no meaning for a login that begins like that.
  func check(_ start: LoginSettings.Start) throws(Failure) {
    let withLink = [("--copy", copy), ("--open", open)]
    let withPage = [
      ("--expect", expect != nil), ("--allow-receiver", !allowReceiver.isEmpty),
      ("--show-attributes", showAttributes), ("--save-page", savePage != nil),
    ]
    let isLink = if case .link = start { true } else { false }
    if let option = (isLink ? withPage : withLink).first(where: \.1) {
      throw .usage(.otherStart(option: option.0, needsLink: !isLink))
    }
  }
}
