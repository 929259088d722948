import ArgumentParser
import Messages

/// What `cie-read help` is asked for: a command, or what belongs to all of them.
enum HelpTopic {
  case command(any ParsableCommand.Type)
  case exitCodes
  case environment

  /// The topic of a command line; `nil` when it asks for no help.
  ///
  /// - Throws: `unknownCommand`, or `unknownTopic`.
  init?(_ arguments: [String]) throws(UsageProblem) {
    var words = Self.words(in: arguments)
    guard let place = words.firstIndex(of: "help"),
      place == 0 || (place == 1 && ["pin", "trust"].contains(words[0]))
    else { return nil }
    words.remove(at: place)
    switch words {
    case ["exit-codes"]: self = .exitCodes
    case ["environment"]: self = .environment
    default: self = .command(try Self.command(of: words.filter { $0 != "help" }))
    }
  }

  /// The arguments that are no options.
  private static func words(in arguments: [String]) -> [String] {
    zip([""] + arguments, arguments).filter { before, word in
      !word.hasPrefix("-") && before != "--language"
    }.map(\.1)
  }

  private static func command(
    of path: [String]
  ) throws(UsageProblem) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = CieRead.self
    for word in path {
      let next = command.configuration.subcommands.first {
        $0.configuration.commandName == word
      }
      guard let next else { throw .unknownTopic }
      command = next
    }
    return command
  }

  /// The help in the language of the session, and the same for scripts where it is a table.
  func outcome(in session: Session) -> CommandOutcome {
    let language = session.language
    switch self {
    case .command(let command):
      return CommandOutcome(
        lines: HelpText.lines(language) { CieRead.helpMessage(for: command, columns: $0) })
    case .exitCodes:
      let rows = ExitStatus.allCases
      return CommandOutcome(
        lines: Self.table(rows.map { (String($0.rawValue), $0.meaning(language)) }),
        members: [
          .init(
            "exitCodes",
            .array(
              rows.map {
                .object([
                  .init("exit", Int($0.rawValue)), .init("meaning", $0.meaning(language)),
                ])
              }))
        ])
    case .environment:
      let rows = EnvironmentVariable.all
      return CommandOutcome(
        lines: Self.table(rows.map { ($0.names, $0.meaning(language)) }),
        members: [
          .init(
            "environment",
            .array(
              rows.map {
                .object([.init("names", $0.names), .init("meaning", $0.meaning(language))])
              }))
        ])
    }
  }

  /// A word to the left, what it means to the right; below it where there is no room.
  private static func table(_ rows: [(String, String)]) -> [String] {
    let width = TextWidth.ofHelp
    let column = min(rows.map(\.0.count).max() ?? 0, width / 5) + 2
    return rows.flatMap { name, meaning -> [String] in
      let margin = String(repeating: " ", count: column)
      guard name.count + 2 <= column else {
        return name.wrapped(to: width, indent: 2)
          + (margin + meaning).wrapped(to: width, indent: column)
      }
      let head = name + String(repeating: " ", count: column - name.count)
      return (head + meaning).wrapped(to: width, indent: column)
    }
  }
}
