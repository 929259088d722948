import Arguments
import CardWork
import FunctionFrame

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

extension Function {
  /// Its last word as the command's name, and its help by all words: `command.pin-change`.
  fileprivate static var configuration: CommandConfiguration {
    CommandConfiguration(
      name.split(separator: " ").last.map(String.init) ?? name, "command.\(definition)")
  }
}
