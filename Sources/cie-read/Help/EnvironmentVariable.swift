/// What the program, or a library that it stands on, takes from the environment.
struct EnvironmentVariable {
  let names: String
  let meaning: Bilingual

  static var all: [EnvironmentVariable] {
    [
      .init(
        names: "LC_ALL, LC_MESSAGES, LANG",
        meaning: Bilingual(
          it:
            "Lingua dei messaggi, se manca --language: italiano se comincia con «it», se no inglese.",
          en: "Language of the messages without --language: Italian if it begins with \"it\", else "
            + "English.")),
      .init(
        names: "COLUMNS",
        meaning: Bilingual(
          it:
            "Larghezza dell'aiuto e dei messaggi, in caratteri (altrimenti quella del terminale).",
          en: "Width of help and messages in characters (else that of the terminal).")),
      .init(
        names: "TERM, TERM_PROGRAM, COLORTERM, NO_COLOR, KITTY_WINDOW_ID, TMUX",
        meaning: Bilingual(
          it: "Se e come il terminale mostra la fotografia.",
          en: "Whether the terminal shows the portrait, and how.")),
      .init(
        names: "XDG_DATA_HOME, HOME",
        meaning: Bilingual(
          it: "Dove sta la cartella dei certificati importati (trust import).",
          en: "Where the folder of imported certificates is (trust import).")),
      .init(
        names: "SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT",
        meaning: Bilingual(
          it:
            "Pagina del servizio, schema dell'indirizzo di ritorno e ambiente di login; le opzioni "
            + "valgono di più, --config di meno.",
          en: "The service's page, scheme of the return address and environment of login; options "
            + "weigh more, --config less.")),
      .init(
        names: "https_proxy, all_proxy, no_proxy",
        meaning: Bilingual(
          it: "Proxy di login, come per curl.", en: "Proxy of login, as for curl.")),
      .init(
        names: "PCSCLITE_CSOCK_NAME",
        meaning: Bilingual(
          it: "Socket del servizio PC/SC (libpcsclite).",
          en: "Socket of the PC/SC service (libpcsclite).")),
    ]
  }
}
