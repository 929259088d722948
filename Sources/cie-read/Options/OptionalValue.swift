/// An option whose value may be left out.
///
/// ArgumentParser 1.8 forgets a value that is joined to such an option by `=`, and takes a word that is no value of it for
/// what comes next, such as a command or a file.
struct OptionalValue: Sendable {
  /// The virtual card: it may stand before a command.
  static let virtual = OptionalValue(option: "--virtual") { PersonaName(argument: $0) != nil }
  /// The browser of a login.
  static let browser = OptionalValue(option: "--browser") { BrowserOption(rawValue: $0) != nil }

  let option: String
  /// Whether a word is a value.
  let isValue: @Sendable (String) -> Bool

  /// Whether a word stands where a value may stand, and is none.
  ///
  /// - Parameter joinedOnly: whether a word of its own may be something else.
  func hasUnknown(in arguments: [String], joinedOnly: Bool) -> Bool {
    let arguments = arguments.prefix { $0 != "--" }
    return zip(arguments, arguments.dropFirst() + [""]).contains { argument, next in
      if argument.hasPrefix(option + "=") {
        return !isValue(String(argument.dropFirst(option.count + 1)))
      }
      return argument == option && !joinedOnly && !next.isEmpty && !next.hasPrefix("-")
        && !isValue(next)
    }
  }

  /// The arguments with what is joined to such an option as a word of its own.
  static func separated(_ arguments: [String]) -> [String] {
    let options = arguments.prefix { $0 != "--" }
    let separated = options.flatMap { argument in
      let isJoined = [virtual, browser].contains { argument.hasPrefix($0.option + "=") }
      return isJoined
        ? argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map(String.init) : [argument]
    }
    return separated + arguments.dropFirst(options.count)
  }
}
