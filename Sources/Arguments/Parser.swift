/// The request of a command line.
package enum ParsedRequest {
  case command(any ParsableCommand)
  /// The help of the last of these commands.
  case help([any ParsableCommand.Type])
  case version
}

/// Parses a command line. The command is found by its name before any of its arguments is declared; options that it shares
/// with the program may stand before it.
package struct Parser {
  private var path: [any ParsableCommand.Type]
  /// The command, or the program before it, and the arguments; made on first use.
  private var declared: (command: any ParsableCommand, slots: [Slot])?
  /// The options before the command, for the command; the value is `nil` for a flag or a missing value.
  private var early: [(name: String, value: String?)] = []
  private var words: ArraySlice<String>
  /// Set once all further words are positional.
  private(set) var isPastOptions = false
  /// The option just read, if its value was left out.
  private var bareOption: String?
  private var wantsHelp = false
  private var wantsVersion = false

  private let text: (String) -> String?

  private init(
    _ root: any ParsableCommand.Type, _ words: [String],
    _ text: @escaping (String) -> String? = { $0 }
  ) {
    path = [root]
    self.text = text
    self.words = words[...]
  }

  /// Parses the words. Help takes precedence over errors, and these over the version.
  ///
  /// - Parameter text: makes text of a word that is no path; nil if it cannot be text.
  package static func parse(
    _ words: [String], of root: any ParsableCommand.Type,
    text: @escaping (String) -> String? = { $0 }
  ) throws(ParsingError) -> ParsedRequest {
    var parser = Parser(root, words, text)
    let problem = parser.run()
    if parser.wantsHelp || problem != nil && parser.isHelpAhead { return .help(parser.path) }
    if let problem { throw ParsingError(path: parser.path, reason: problem) }
    return parser.wantsVersion ? .version : .command(parser.declaration().command)
  }

  /// Parses the words before an unfinished one, for completions: up to the first problem.
  static func state(after words: [String], of root: any ParsableCommand.Type) -> (
    path: [any ParsableCommand.Type], slots: [Slot], isPastOptions: Bool,
    problem: ParsingError.Reason?
  ) {
    var parser = Parser(root, words)
    let problem = parser.readWords()
    return (parser.path, parser.declaration().slots, parser.isPastOptions, problem)
  }

  /// The command, or the program if the command is unknown yet.
  private mutating func declaration() -> (command: any ParsableCommand, slots: [Slot]) {
    if let declared { return declared }
    let command = (subcommands.isEmpty ? last : path[0]).init()
    let new = (command, command.slots)
    declared = new
    return new
  }

  private var isHelpAhead: Bool {
    !isPastOptions && words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private var last: any ParsableCommand.Type { path[path.count - 1] }

  private var subcommands: [any ParsableCommand.Type] {
    last.configuration.subcommands
  }

  private mutating func run() -> ParsingError.Reason? {
    if let problem = readWords() { return problem }
    guard !wantsHelp, !wantsVersion else { return nil }
    guard subcommands.isEmpty else { return .missingCommand(given: early.map(\.name)) }
    let isMissing = declaration().slots.contains { $0.declaration.isRequired && !$0.isGiven }
    return isMissing ? .missingArgument : nil
  }

  private mutating func readWords() -> ParsingError.Reason? {
    while let word = words.popFirst() {
      if !isPastOptions, word == "--" {
        isPastOptions = true
      } else if !isPastOptions, word.isOption {
        if let problem = readOption(word) { return problem }
      } else {
        let problem = subcommands.isEmpty ? readPositional(word) : enter(word)
        if let problem {
          return bareOption.map { .badValue(option: $0, word: word.asName) } ?? problem
        }
        bareOption = nil
      }
    }
    return nil
  }

  /// Goes on with a command below.
  private mutating func enter(_ word: String) -> ParsingError.Reason? {
    guard let next = last.subcommand(word) else { return .unknownCommand(word, below: last) }
    path.append(next)
    guard subcommands.isEmpty else { return nil }
    declared = nil
    for (name, value) in early {
      guard let slot = slot(named: name) else { return unknown("--" + name) }
      guard let value else {
        slot.take(name: name)
        continue
      }
      guard take(value, slot) else { return .bad(value, of: slot.declaration) }
    }
    return nil
  }

  private mutating func readOption(_ word: String) -> ParsingError.Reason? {
    bareOption = nil
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (typed, joined) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    let spelling = typed == "-h" ? "--help" : typed
    let name = String(spelling.dropFirst(2))
    if typed == "--version", joined == nil {
      wantsVersion = true
      return nil
    }
    guard spelling.hasPrefix("--"), let slot = slot(named: name) else {
      guard joined == nil, spelling == "--help" else { return unknown(spelling) }
      wantsHelp = true
      return nil
    }
    guard slot.declaration.kind == .option else {
      guard joined == nil else { return .valueOfFlag }
      slot.take(name: name)
      note(name, nil)
      return nil
    }
    if slot.declaration.isSingle, slot.isGiven {
      return .repeatedOption(slot.declaration.spelling)
    }
    let isBare = slot.declaration.bareValue != nil
    if let value = joined ?? words.first.flatMap({ $0.isOption ? nil : $0 }) {
      if take(value, slot) {
        if joined == nil { words.removeFirst() }
        note(name, value)
        return nil
      }
      // With a list of values, the next word is meant as one of them.
      guard isBare, joined == nil, slot.declaration.values.isEmpty else {
        return .bad(value, of: slot.declaration)
      }
    }
    guard isBare else { return .missingValue(option: spelling) }
    slot.take(name: name)
    note(name, nil)
    bareOption = spelling
    return nil
  }

  /// Gives a word to an argument: to one for paths as it came, to others as text.
  private func take(_ word: String, _ slot: Slot) -> Bool {
    guard !slot.declaration.takesPaths else { return slot.take(word) }
    return text(word).map(slot.take) ?? false
  }

  private mutating func note(_ name: String, _ value: String?) {
    if !subcommands.isEmpty { early.append((name, value)) }
  }

  private mutating func readPositional(_ word: String) -> ParsingError.Reason? {
    let positional = declaration().slots.first {
      $0.declaration.kind == .positional && ($0.declaration.isRepeating || !$0.isGiven)
    }
    guard let positional else { return .unexpectedWord }
    if positional.declaration.takesRest { isPastOptions = true }
    return take(word, positional) ? nil : .bad(word, of: positional.declaration)
  }

  private mutating func slot(named name: String) -> Slot? {
    declaration().slots.first {
      $0.declaration.kind != .positional
        && ($0.declaration.name == name || $0.declaration.contrary == name)
    }
  }

  private mutating func unknown(_ word: String) -> ParsingError.Reason {
    .unknownOption(word, of: declaration().slots.map(\.declaration))
  }
}

extension String {
  /// A leading hyphen marks an option, except alone (POSIX, XBD §12.2, guideline 13) and in a negative number.
  var isOption: Bool {
    var letters = utf8.makeIterator()
    guard letters.next() == UInt8(ascii: "-"), let second = letters.next() else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
  }
}
