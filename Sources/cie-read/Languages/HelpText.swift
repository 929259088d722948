/// ArgumentParser's own words in its help, which it has only in English.
enum HelpText {
  private static let words = [
    ("OVERVIEW: ", ""),
    ("USAGE: ", "USO: "),
    ("\nARGUMENTS:\n", "\nARGOMENTI:\n"),
    ("\nOPTIONS:\n", "\nOPZIONI:\n"),
    ("\nSUBCOMMANDS:\n", "\nCOMANDI:\n"),
    ("<subcommand>", "<comando>"),
    ("<options>", "<opzioni>"),
    ("<seconds>", "<secondi>"),
    ("<path>", "<percorso>"),
    ("<name|number>", "<nome|numero>"),
    ("<name|file>", "<nome|file>"),
    ("(values: ", "(valori: "),
    ("default: ", "altrimenti: "),
    ("default as flag: ", "senza valore: "),
    ("Show the version.", "Mostra la versione."),
    ("Show help information.", "Mostra questo aiuto."),
    ("Show subcommand help information.", "Mostra l'aiuto di un comando."),
    ("for detailed help.", "per i dettagli."),
    ("  See '", "  Vedere '"),
  ]

  /// The help in a language.
  static func translated(_ text: String, to language: Language) -> String {
    switch language {
    case .english: text
    case .italian:
      words.reduce(text) { text, word in text.replacing(word.0, with: word.1) }
    }
  }
}
