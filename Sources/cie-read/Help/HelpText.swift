import Messages

/// ArgumentParser's own words in its help, which it has only in English.
enum HelpText {
  private static let words = [
    "usage", "arguments", "options", "subcommands", "subcommand", "any-options", "seconds", "path",
    "name-number", "name-file", "values", "default", "default-as-flag", "version", "help",
    "subcommand-help", "details", "see",
  ].map { Message("frame.\($0)") }

  /// Columns below which ArgumentParser's layout, with the texts far to the right, leaves too little room for words.
  private static let narrow = 64

  /// The lines of a help in a language, as wide as the terminal.
  ///
  /// - Parameter make: the English frame in so many columns.
  static func lines(_ language: Language, _ make: (Int) -> String) -> [String] {
    let width = TextWidth.ofHelp
    guard width < narrow else { return lines(of: make(width), language) }
    // Without any breaks of ArgumentParser's; then each text below what it is about.
    return lines(of: make(10_000), language).flatMap { line in
      let margin = line.prefix { $0 == " " }.count
      if margin >= textColumn {
        return below(line.dropFirst(margin), width)
      }
      let head = line.prefix(textColumn)
      guard margin == 2, line.count > textColumn, head.hasSuffix("  ") else {
        return line.wrapped(to: width, indent: margin == 0 ? 0 : margin + 2)
      }
      let label = head.dropLast(head.reversed().prefix { $0 == " " }.count)
      return [String(label)] + below(line.dropFirst(textColumn).drop { $0 == " " }, width)
    }
  }

  private static func below(_ text: Substring, _ width: Int) -> [String] {
    ("      " + text).wrapped(to: width, indent: 6)
  }

  /// Where ArgumentParser begins the texts.
  private static let textColumn = 26

  private static func lines(of text: String, _ language: Language) -> [String] {
    translated(text, to: language).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The help in a language.
  private static func translated(_ text: String, to language: Language) -> String {
    guard language != .english else { return text }
    return words.reduce(text.replacing("OVERVIEW: ", with: "")) { text, word in
      text.replacing(word(.english), with: word(language))
    }
  }
}
