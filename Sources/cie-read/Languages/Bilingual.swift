import ArgumentParser

/// A text in every language: one without the other does not compile.
struct Bilingual: Sendable, Equatable {
  private let italian: String
  private let english: String

  init(it italian: String, en english: String) {
    self.italian = italian
    self.english = english
  }

  /// The text in a language.
  func callAsFunction(_ language: Language) -> String {
    switch language {
    case .italian: italian
    case .english: english
    }
  }
}

extension ArgumentHelp {
  /// A help text in the language of the help.
  static func text(it italian: String, en english: String, value: String? = nil) -> ArgumentHelp {
    ArgumentHelp(
      stringLiteral: Bilingual(it: italian, en: english)(.ofHelp)
    ).named(value)
  }

  private func named(_ value: String?) -> ArgumentHelp {
    var help = self
    help.valueName = value
    return help
  }
}

extension CommandConfiguration {
  /// A command that says what it does in the language of the help.
  init(
    _ name: String, it italian: String, en english: String, discussion: Bilingual? = nil,
    version: String = "", subcommands: [any ParsableCommand.Type] = []
  ) {
    self.init(
      commandName: name, abstract: Bilingual(it: italian, en: english)(.ofHelp),
      discussion: discussion?(.ofHelp) ?? "", version: version, subcommands: subcommands)
  }
}
