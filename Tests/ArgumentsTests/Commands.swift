@testable import Arguments

/// A program with a command, and a family of one more.
struct Kitchen: ParsableCommand {
  static let configuration = CommandConfiguration(
    "kitchen", "", subcommands: [Cook.self, Taste.self, Store.self, Hidden.self])

  let shared = Shared()

  var slots: [Slot] { shared.slots.hidden() }
}

struct Shared {
  @Flag(name: "verbose", help: "Tell everything.") var verbose = false
  @Option(bare: Heat.low, name: "stove", help: "On the stove.") var stove: Heat?
  @Option(bare: 200, name: "oven", help: "In the oven.") var oven: Int?

  var slots: [Slot] { [_verbose, _stove, _oven] }
}

struct Cook: ParsableCommand {
  static let configuration = CommandConfiguration("cook", "Cook something.")

  @Argument(name: "dish", isRequired: true, help: "What.") var dish = ""
  @Argument(name: "sides", help: "With what.") var sides: [String] = []
  @Option(name: "cooking-time", help: "Minutes.") var cookingTime = 10
  @Option(name: "with", help: "Spices.", completion: .words(["salt", "pepper"]))
  var spices: [String] = []
  @Option(name: "recipe", help: "Recipe.", completion: .file(ending: "txt")) var recipe: String?
  @Flag(withContrary: "Cover it.", name: "lid") var lid: Bool?
  let shared = Shared()

  var slots: [Slot] { [_dish, _sides, _cookingTime, _spices, _recipe, _lid] + shared.slots }
}

struct Taste: ParsableCommand {
  static let configuration = CommandConfiguration("taste", "Judge something.", isHidden: true)

  @Option(name: "salt", help: "Grams.") var salt: Int?
  @Option(name: "pepper", help: "Grams.") var pepper: Int?

  var slots: [Slot] { [_salt, _pepper].single() }
}

struct Store: ParsableCommand {
  static let configuration = CommandConfiguration(
    "store", "Keep something.", subcommands: [Freeze.self])
}

struct Freeze: ParsableCommand {
  static let configuration = CommandConfiguration("freeze", "Freeze it.")

  @Flag(name: "verbose", help: "Tell everything.") var verbose = false
  @Argument(rest: "Words for the freezer.") var words: [String] = []

  var slots: [Slot] { [_verbose, _words] }
}

struct Hidden: ParsableCommand {
  static let configuration = CommandConfiguration("hidden", "", isHidden: true)
}

enum Heat: String, CaseIterable, ArgumentValue {
  case low
  case high
}

extension Parser {
  /// The command that words ask for.
  static func command<Command>(_ words: String) throws -> Command? {
    guard case .command(let command) = try parse(words.words, of: Kitchen.self) else { return nil }
    return command as? Command
  }

  /// Why words are refused.
  static func problem(_ words: [String]) -> ParsingError.Reason? {
    do throws(ParsingError) {
      _ = try parse(words, of: Kitchen.self)
      return nil
    } catch { return error.reason }
  }
}

extension String {
  /// Splits the line at blanks; `_` is an empty word.
  var words: [String] { split(separator: " ").map { $0 == "_" ? "" : String($0) } }
}
