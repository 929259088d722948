/// A problem of a command line. It has no value that was typed, because that could be a PIN.
package struct ParsingError: Error {
  package enum Reason: Sendable, Equatable {
    /// An option that does not exist, and the one that may be meant.
    case unknownOption(String?, similar: String?)
    /// An option without the value that it needs.
    case missingValue(option: String)
    /// A word that is no value of an option, or of a positional argument.
    case badValue(option: String?)
    /// A flag with a value: `--json=yes`.
    case valueOfFlag
    /// An argument that must be given, and is not.
    case missingArgument
    case unexpectedWord
    /// A family of commands and none of them; the options that were given.
    case missingCommand(given: [String])
    case unknownCommand
  }

  /// The commands that were found, from the program down.
  package let path: [any ParsableCommand.Type]
  package let reason: Reason
}

extension ParsingError.Reason {
  /// An option that is none of those. Its name is kept where it is letters and hyphens only, so that no digit gets through.
  static func unknownOption(_ word: String, of known: [Declaration]) -> Self {
    let name = word.prefix { $0 != "=" }
    guard name.hasPrefix("--"), (3..<24).contains(name.count),
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D })
    else { return .unknownOption(nil, similar: nil) }
    // Up to three letters more or fewer.
    let similar = known.lazy.filter { $0.kind != .positional && !$0.isHidden }.map { declaration in
      (declaration.spelling, distance: declaration.spelling.difference(from: name).count)
    }.filter { $0.distance < 4 }.min { $0.distance < $1.distance }
    return .unknownOption(String(name), similar: similar?.0)
  }
}
