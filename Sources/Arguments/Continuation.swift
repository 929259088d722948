/// The offer of a shell for an unfinished command line.
package enum Continuation {
  /// Words, each with the text of its help.
  case words([(word: String, help: String)])
  /// Files, or those with this ending.
  case file(ending: String?)
  case folder

  /// Finds the candidates for the last word; for `--name=value` those for the value.
  ///
  /// - Parameter words: the words after the name of the program; the last is unfinished and may be empty.
  package init(of words: [String], to root: any ParsableCommand.Type) {
    let (before, typed) = (Array(words.dropLast()), words.last ?? "")
    let state = Parser.state(after: before, of: root)
    func option(_ spelling: String) -> Declaration? {
      state.slots.lazy.map(\.declaration).first { $0.kind == .option && $0.spelling == spelling }
    }
    let named = state.isPastOptions ? nil : before.last.flatMap(option)
    switch state.problem {
    case .missingValue(let spelling) where named?.spelling == spelling:
      self = Self.values(of: named, typed)
    case .some: self = .words([])
    case nil where state.isPastOptions || !typed.hasPrefix("-"):
      self = Self.word(state.path.last, state.slots, afterBare: named, typed)
    case nil:
      let parts = typed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      self =
        parts.count > 1
        ? Self.values(of: option(String(parts[0])), String(parts[1]))
        : Self.matching(Self.options(state.slots), typed)
    }
  }

  /// Subcommands or the next positional argument; behind an option whose value may be left out, that value.
  private static func word(
    _ command: (any ParsableCommand.Type)?, _ slots: [Slot], afterBare option: Declaration?,
    _ typed: String
  ) -> Continuation {
    let commands = (command?.listedSubcommands ?? []).map { ($0.name, $0.abstract) }
    if let option, option.bareValue != nil {
      guard case .words(let values) = values(of: option, typed) else { return .words([]) }
      return .words(values + commands.filter { $0.0.hasPrefix(typed) })
    }
    guard commands.isEmpty else { return matching(commands, typed) }
    let positional = slots.first {
      $0.declaration.kind == .positional && ($0.declaration.isRepeating || !$0.isGiven)
    }
    return positional.map { values(of: $0.declaration, typed) } ?? matching(options(slots), typed)
  }

  /// The options that can still be given.
  private static func options(_ slots: [Slot]) -> [(String, String)] {
    slots.filter { !$0.isGiven || $0.declaration.isRepeating }.map(\.declaration)
      .filter { $0.kind != .positional && !$0.isHidden }.flatMap { declaration in
        [declaration.name, declaration.contrary].compactMap { $0 }.map {
          ("--" + $0, declaration.help.text)
        }
      } + [("--version", ""), ("--help", "")]
  }

  private static func values(of declaration: Declaration?, _ typed: String) -> Continuation {
    guard let declaration else { return .words([]) }
    switch declaration.completion {
    case .file(let ending): return .file(ending: ending)
    case .folder: return .folder
    case .found(let find): return matching(find().map { ($0, "") }, typed)
    case .words(let words):
      return matching((words.isEmpty ? declaration.values : words).map { ($0, "") }, typed)
    }
  }

  private static func matching(_ words: [(String, String)], _ typed: String) -> Continuation {
    .words(words.filter { $0.0.hasPrefix(typed) }.map { (word: $0.0, help: $0.1) })
  }
}
