import Arguments
import CardWork

/// A command that is a function.
protocol FunctionHost {
  static var function: any Function.Type { get }
}

/// A function with a card, as a command: its inputs, and the options that all such commands share.
struct CardFunctionCommand<Work: CardFunction>: CardCommand, FunctionHost {
  static var function: any Function.Type { Work.self }
  static var configuration: CommandConfiguration { Work.configuration }

  private let inputs = Work.slots
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    if Work.mayNeedNoCard,
      let result = try Work(from: inputs).runWithoutCard(besides: source.ofCard, in: context)
    {
      return CommandOutcome(result, context.language)
    }
    let card = try source.conversation()
    return try Work(from: inputs).outcome(of: card, in: context)
  }
}

/// A function without a card, as a command.
struct FunctionCommand<Work: FunctionWithoutCard>: CardCommand, FunctionHost {
  static var function: any Function.Type { Work.self }
  static var configuration: CommandConfiguration { Work.configuration }

  private let inputs = Work.slots
  @OptionGroup var output: OutputOptions

  var staysOpen: Bool { inputs.members().contains { $0.name == "stay" && $0.isGiven } }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try Work(from: inputs).run(in: context), context.language)
  }
}

extension Function {
  /// Its last word as the command's name, and its help by all words: `command.pin-change`.
  fileprivate static var configuration: CommandConfiguration {
    let words = name.split(separator: " ")
    let key = words.joined(separator: "-")
    return CommandConfiguration(words.last.map(String.init) ?? name, "command.\(key)")
  }
}
