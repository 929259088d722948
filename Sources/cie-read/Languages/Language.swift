import ArgumentParser

/// The languages that the program speaks to people. What scripts read is the same in all of them.
enum Language: String, CaseIterable, Sendable, ExpressibleByArgument {
  case italian = "it"
  case english = "en"

  /// The language of the help texts while the command line is taken apart: ArgumentParser asks for those
  /// without any context of ours.
  @TaskLocal static var ofHelp = Language.english

  /// The language asked for by option, else by the locale.
  ///
  /// - Parameters:
  ///   - arguments: the command line, before it is understood: it may be about to be refused in that language.
  ///   - environment: looks a variable up. LC_ALL, LC_MESSAGES, LANG in this order (POSIX, XBD §8.2).
  init(arguments: [String], environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
    let ofLocale: Language = locale?.hasPrefix("it") == true ? .italian : .english
    self = Self.option(in: arguments) ?? ofLocale
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
