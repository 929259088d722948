import Arguments
public import Messages

extension Language: ArgumentValue {
  /// The codes of all languages in the table, as users type them.
  static var codes: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The language asked for by option, else by the locale.
  ///
  /// - Parameters:
  ///   - arguments: the command line, before it is understood: a refusal is in that language, too.
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
