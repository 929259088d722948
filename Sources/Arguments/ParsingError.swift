/// A problem of a command line. Of the words that were typed it has only names: letters and hyphens, because digits could be
/// a PIN.
package struct ParsingError: Error {
  package enum Reason: Sendable, Equatable {
    /// An option that does not exist, and the one that may be meant.
    case unknownOption(String?, similar: String?)
    /// An option without the value that it needs.
    case missingValue(option: String)
    /// A word that is no value of an option, or of a positional argument; with the values, where they are few.
    case badValue(option: String?, word: String? = nil, choices: [String] = [])
    /// An option that decides a verdict, twice.
    case repeatedOption(String)
    /// A flag with a value: `--json=yes`.
    case valueOfFlag
    /// An argument that must be given, and is not.
    case missingArgument
    case unexpectedWord
    /// A family of commands and none of them; the options that were given.
    case missingCommand(given: [String])
    /// A command that does not exist, and the one that may be meant.
    case unknownCommand(String?, similar: String?)
  }

  /// The commands that were found, from the program down.
  package let path: [any ParsableCommand.Type]
  package let reason: Reason
}

extension ParsingError.Reason {
  /// An option that is none of those. Its name is kept where it is letters and hyphens only, so that no digit gets through.
  static func unknownOption(_ word: String, of known: [Declaration]) -> Self {
    let typed = String(word.prefix { $0 != "=" })
    guard typed.hasPrefix("--"), let name = typed.asName else {
      return .unknownOption(nil, similar: nil)
    }
    let names = known.filter { $0.kind != .positional && !$0.isHidden }.map(\.spelling)
    return .unknownOption(name, similar: name.mostSimilar(of: names))
  }

  /// A command that is none of those below.
  static func unknownCommand(_ word: String, below parent: any ParsableCommand.Type) -> Self {
    let name = word.asName
    return .unknownCommand(
      name, similar: name?.mostSimilar(of: parent.listedSubcommands.map(\.name)))
  }
}

extension ParsingError.Reason {
  /// A word that is no value of an argument.
  static func bad(_ word: String, of declaration: Declaration) -> Self {
    .badValue(
      option: declaration.kind == .positional ? nil : declaration.spelling, word: word.asName,
      choices: declaration.values)
  }
}

extension String {
  /// The word itself if it is letters and hyphens, as names are.
  var asName: String? {
    let isName =
      (2..<24).contains(count) && utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    return isName ? self : nil
  }

  /// The name from which this one differs by up to three letters more or fewer, but not by all of them.
  func mostSimilar(of names: [String]) -> String? {
    names.map { ($0, distance: $0.difference(from: self).count) }
      .filter { $0.distance < Swift.min(4, count) }.min { $0.distance < $1.distance }?.0
  }
}
