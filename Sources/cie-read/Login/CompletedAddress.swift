import RedirectFlow

/// What becomes of the address with which the browser goes on: printed, or handed to the desktop.
struct CompletedAddress {
  private let clipboard: DesktopProgram?
  private let opener: DesktopProgram?

  /// Makes sure that what is asked for can be done, before a card is asked for anything.
  init(_ options: LoginEndOptions) throws(Failure) {
    clipboard = options.copy ? .clipboard : nil
    opener = options.open ? .opener : nil
    if options.copy, clipboard == nil { throw .usage(.noDesktopProgram(option: "--copy")) }
    if options.open, opener == nil { throw .usage(.noDesktopProgram(option: "--open")) }
  }

  /// Hands it over. Where the desktop does not take it, it is printed after all: it was hard to come by.
  func handOver(_ url: RedirectURL, _ person: LoginPerson) -> Outcome {
    let isCopied = clipboard?.run(input: url.text) ?? false
    let isOpened = opener?.run(word: url.text) ?? false
    let isHandedOver = isCopied || isOpened
    let isAskedFor = clipboard != nil || opener != nil
    let words = isAskedFor && !isHandedOver ? Self.failed : isOpened ? Self.opened : Self.open
    person.tell((isCopied ? [Self.copied] : []) + [words])
    var outcome = Outcome()
    if !isHandedOver { outcome.lines = [url.text] }
    outcome.members = [
      .init("completedUrl", url.text), .init("copied", isCopied), .init("opened", isOpened),
    ]
    return outcome
  }

  private static let open = Bilingual(
    it: """
      Aprire questo indirizzo nello stesso browser che ha la pagina di accesso, subito: vale una \
      volta sola. Non darlo a nessuno: chi lo apre entra al posto tuo.
      """,
    en: """
      Open this address in the same browser that has the login page, at once: it is good once. \
      Tell nobody: whoever opens it is logged in as you.
      """)
  private static let copied = Bilingual(
    it: "L'indirizzo è negli appunti.", en: "The address is on the clipboard.")
  private static let opened = Bilingual(
    it: """
      L'indirizzo è stato aperto nel browser abituale; vale una volta sola, e solo se è lo stesso \
      browser che ha la pagina di accesso.
      """,
    en: """
      The address was opened in the usual browser; it is good once, and only if that is the browser \
      that has the login page.
      """)
  private static let failed = Bilingual(
    it: """
      Gli appunti o il browser non hanno preso l'indirizzo, che segue. Aprirlo nello stesso browser \
      che ha la pagina di accesso; vale una volta sola, e non è da dare a nessuno.
      """,
    en: """
      The clipboard or the browser did not take the address, which follows. Open it in the same \
      browser that has the login page; it is good once, and to be told to nobody.
      """)
}
