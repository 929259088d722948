import ArgumentParser

/// What ArgumentParser ended with instead of a command: help that was asked for, or a problem.
///
/// Its errors are not public, and their messages are English sentences that repeat what was typed. So the cases are read
/// by reflection; the version of ArgumentParser is pinned, and the tests know every case that is told apart.
struct ParserEnd {
  /// The commands that were found, from the program down.
  let commands: [any ParsableCommand.Type]
  /// The name of the case: `helpRequested`, `unknownOption`.
  let name: String
  /// The name of the option that it is about, without hyphens.
  let option: String?

  init(_ error: any Error) {
    let mirror = Mirror(reflecting: error)
    commands = mirror.descendant("commandStack") as? [any ParsableCommand.Type] ?? []
    let problem = mirror.descendant("parserError")
    let content = problem.flatMap { Mirror(reflecting: $0).children.first }
    name = content?.label ?? problem.map { "\($0)" } ?? ""
    // The second value is the name, or a name that may be missing.
    let payload = content.map { Mirror(reflecting: $0.value) }
    option =
      (payload?.descendant(1, "long") ?? payload?.descendant(1, "some", "long")) as? String
  }
}

/// What is wrong with a command line in the eyes of ArgumentParser, without the words that it repeats.
enum ParserProblem: Sendable, Equatable {
  /// An option that does not exist, and the one that may have been meant.
  case unknownOption(String?, meant: String?)
  /// An option without its value.
  case missingValue(String?)
  /// A mandatory argument that is not there.
  case missingOption
  /// A value that an option does not take.
  case badValue(String?)
  /// Words that belong to no option.
  case unexpectedWords
  /// Something else.
  case other

  /// - Parameter similar: the option that a name may have meant.
  init(_ end: ParserEnd, similar: (String) -> String?) {
    let option = end.option.map { "--" + $0 }
    switch end.name {
    case "unknownOption":
      let typed = option.flatMap { Self.isHarmless($0) ? $0 : nil }
      self = .unknownOption(typed, meant: typed.flatMap(similar))
    case "missingValueOrUnknownCompositeOption": self = .unknownOption(nil, meant: nil)
    case "missingValueForOption": self = .missingValue(option)
    case "noValue": self = .missingOption
    case "unableToParseValue": self = .badValue(option)
    case "unexpectedExtraValues": self = .unexpectedWords
    default: self = .other
    }
  }

  /// Letters and hyphens only: no digit gets through.
  private static func isHarmless(_ name: String) -> Bool {
    name.count < 24 && name.allSatisfy { ("a"..."z").contains($0) || $0 == "-" }
  }
}
