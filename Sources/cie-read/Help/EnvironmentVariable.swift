import Messages

/// What the program, or a library that it stands on, takes from the environment.
struct EnvironmentVariable {
  let names: String
  let meaning: Message

  static var all: [EnvironmentVariable] {
    [
      .init(
        names: "LC_ALL, LC_MESSAGES, LANG",
        meaning: Message("environment.locale")),
      .init(
        names: "COLUMNS",
        meaning: Message("environment.columns")),
      .init(
        names: "TERM, TERM_PROGRAM, COLORTERM, NO_COLOR, KITTY_WINDOW_ID, TMUX",
        meaning: Message("environment.term")),
      .init(
        names: "XDG_DATA_HOME, HOME",
        meaning: Message("environment.home")),
      .init(
        names: "SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT",
        meaning: Message("environment.login")),
      .init(
        names: "https_proxy, all_proxy, no_proxy",
        meaning: Message("environment.proxy")),
      .init(
        names: "PCSCLITE_CSOCK_NAME",
        meaning: Message("environment.pcsc")),
    ]
  }
}
