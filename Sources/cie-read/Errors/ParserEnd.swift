import ArgumentParser
import Messages

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

extension Diagnosis {
  /// What is wrong with a command line in the eyes of ArgumentParser; `nil` where there are words that belong to nothing.
  ///
  /// - Parameter similar: the option that a name may have meant.
  static func usage(_ end: ParserEnd, similar: (String) -> String?) -> Diagnosis? {
    let option = end.option.map { "--" + $0 }
    switch end.name {
    case "unknownOption": return unknownOption(option, similar: similar)
    case "missingValueOrUnknownCompositeOption": return unknownOption(nil)
    case "missingValueForOption":
      guard let option else { return usage("missing-value") }
      return usage("missing-value", ["name": option], key: "missing-value-named")
    case "noValue": return usage("missing-option")
    case "unableToParseValue":
      guard let option else { return usage("bad-value") }
      return usage("bad-value", ["name": option], key: "bad-value-named")
    case "unexpectedExtraValues": return nil
    default: return usage("usage")
    }
  }

  /// An option that does not exist. Its name is told where it is letters and hyphens only, so that no digit gets through.
  static func unknownOption(
    _ name: String?, similar: (String) -> String? = { _ in nil }
  ) -> Diagnosis {
    guard let name, name.count < 24, name.wholeMatch(of: /--[a-z-]+/) != nil else {
      return usage("unknown-option")
    }
    guard let meant = similar(name) else {
      return usage("unknown-option", ["name": name], key: "unknown-option-named")
    }
    return usage("unknown-option", ["name": name, "meant": meant], key: "unknown-option-meant")
  }

  /// Words that belong to no option.
  static let unexpectedWords = usage("unexpected-argument")
}
