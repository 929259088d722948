import Accounts
import Arguments
import CardWork
import Primitives

/// A command of the program: its arguments, and the work that reads them.
protocol CardCommand: ParsableCommand {
  func perform(in context: RunContext) throws(Failure) -> CommandOutcome
}

extension CardCommand {
  /// Its name in JSON, as on the command line; the key of its help has the same words.
  static var name: String? {
    // `trace from-report` has two words.
    let words = configuration.abstract.dropFirst("command.".count)
      .split(separator: "-", maxSplits: 1)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// A command that is a function.
protocol FunctionHost {
  static var function: any Function.Type { get }
}

/// A function with a card, as a command: its inputs, and the options that all such commands share.
private struct CardFunctionCommand<Work: CardFunction>: CardCommand, FunctionHost {
  static var function: any Function.Type { Work.self }
  static var configuration: CommandConfiguration { Work.configuration }

  let slots = Work.slots + SourceOptions.slots + OutputOptions.slots

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let source = try SourceOptions(from: slots)
    if Work.mayNeedNoCard,
      let result = try Work(from: slots).runWithoutCard(besides: source.ofCard, in: context)
    {
      return CommandOutcome(result, context.language)
    }
    let card = try source.conversation()
    return try Work(from: slots).outcome(of: card, in: context)
  }
}

/// A function without a card, as a command.
private struct FunctionCommand<Work: FunctionWithoutCard>: CardCommand, FunctionHost {
  static var function: any Function.Type { Work.self }
  static var configuration: CommandConfiguration { Work.configuration }

  let slots = Work.slots + OutputOptions.slots

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try Work(from: slots).run(in: context), context.language)
  }
}

/// Inputs with work that asks, writes or serves before it has a result.
protocol CommandWork: Readable, SendableMetatype {
  static var configuration: CommandConfiguration { get }
  /// The results with one of which it ends; none for a command that goes on until it is stopped.
  static var results: [any FunctionResult.Type] { get }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome
}

extension CommandWork {
  static var results: [any FunctionResult.Type] { [] }

  static var answerSchema: Schema {
    .answer(ofOneOf: results, adding: Inputs.declared(by: Self.self).notices)
  }
}

/// Such work as a command.
private struct WorkCommand<Work: CommandWork>: CardCommand {
  static var configuration: CommandConfiguration { Work.configuration }

  let slots = Work.slots

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    try Work(from: slots).perform(in: context)
  }
}

// By the protocols' witnesses the runtime has what a generic type needs; of a type that a list names it would look up each
// conformance at every start.
extension CardFunction {
  static var command: any ParsableCommand.Type { CardFunctionCommand<Self>.self }
}

extension FunctionWithoutCard {
  static var command: any ParsableCommand.Type { FunctionCommand<Self>.self }
}

extension CommandWork {
  static var command: any ParsableCommand.Type { WorkCommand<Self>.self }
}

extension Function {
  /// Its last word as the command's name, and its help by all words: `command.pin-change`.
  fileprivate static var configuration: CommandConfiguration {
    let words = name.split(separator: " ")
    let key = words.joined(separator: "-")
    return CommandConfiguration(words.last.map(String.init) ?? name, "command.\(key)")
  }
}

/// The descriptions of the program's functions for other programs.
enum FunctionDescriptions {
  private static let others: [any CommandWork.Type] = [
    SignCommand.self, LoginCommand.self, DoctorCommand.self,
  ]

  static var json: JSON {
    Descriptions.json(
      of: FunctionList.all, served: ServedFunction.all.compactMap { $0.work },
      others: others.map { ($0.configuration.name, $0.answerSchema) } + [
        ("function", .words(ServedFunction.all.map(\.name)))
      ])
  }
}

/// The functions that are declared as one value; the command line has the same ones, in its order.
enum FunctionList {
  static let all: [any Function.Type] =
    [
      Demo.self, Readers.self, Info.self, NIS.self, Verify.self, Read.self, Cert.self,
      PINVerify.self,
      PINChange.self, PINUnblock.self, TrustList.self, TrustUpdate.self, TrustImport.self,
      TraceShow.self,
      TraceCheck.self, TraceDiff.self, TraceStats.self, TraceFromReport.self, Check.self,
      Extend.self,
      BrowserStatus.self, BrowserInstall.self, BrowserRemove.self,
    ] + AccountFunctions.all
}
