public import ArgumentParser
public import Messages

extension Language: ExpressibleByArgument {
  /// The language of the help texts while the command line is taken apart: ArgumentParser asks for those
  /// without any context of ours.
  @TaskLocal static var ofHelp = Language.english

  /// All of the table, as they are asked for.
  static var codes: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The language asked for by option, else by the locale.
  ///
  /// - Parameters:
  ///   - arguments: the command line, before it is understood: it may be about to be refused in that language.
  ///   - environment: looks a variable up. LC_ALL, LC_MESSAGES, LANG in this order (POSIX, XBD §8.2).
  init(arguments: [String], environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
    self = Self.option(in: arguments) ?? Language(locale: locale)
  }

  private static func option(in arguments: [String]) -> Language? {
    let name = "--language"
    for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
      if argument == "--" { return nil }
      if argument == name { return Language(rawValue: next) }
      if argument.hasPrefix(name + "=") {
        return Language(rawValue: String(argument.dropFirst(name.count + 1)))
      }
    }
    return nil
  }
}

extension ArgumentHelp {
  /// A help text in the language of the help.
  static func text(_ key: String, value: String? = nil) -> ArgumentHelp {
    var help = ArgumentHelp(stringLiteral: Message(key)(.ofHelp))
    help.valueName = value
    return help
  }
}

extension CommandConfiguration {
  /// A command that says what it does in the language of the help: in the row `key`, and at length in the row of the
  /// same name with `.more`.
  init(
    _ name: String, _ key: String, version: String = "",
    subcommands: [any ParsableCommand.Type] = []
  ) {
    let more = Message("\(key).more")
    self.init(
      commandName: name, abstract: Message(key)(.ofHelp),
      discussion: more.exists ? more(.ofHelp) : "", version: version, subcommands: subcommands)
  }
}
