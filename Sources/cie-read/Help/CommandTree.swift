import Arguments
import Messages
import Primitives

/// All commands with their arguments as JSON, for the tools that write the manual.
struct CommandTree {
  let language: Language

  /// A command with those below it.
  func object(_ command: any ParsableCommand.Type) -> JSON {
    let configuration = command.configuration
    let more = Message("\(configuration.abstract).more")
    return .object([
      .init("name", configuration.name), .init("abstract", text(configuration.abstract)),
      .init("discussion", more.exists ? more(language) : ""),
      .init("arguments", .array(command.declarations.map(object))),
      .init(
        "commands",
        .array(configuration.subcommands.filter { !$0.configuration.isHidden }.map(object))),
    ])
  }

  private func object(_ argument: Declaration) -> JSON {
    .object([
      .init("kind", argument.kind.rawValue), .init("name", argument.name),
      .init("contrary", argument.contrary), .init("abstract", text(argument.help.text)),
      .init("value", argument.valueName), .init("values", .array(argument.values.map(JSON.string))),
      .init("fallback", argument.fallback), .init("bare", argument.bareValue),
      .init("isRequired", argument.isRequired), .init("isRepeating", argument.isRepeating),
      .init("isHidden", argument.isHidden),
    ])
  }

  private func text(_ key: String) -> String { key.isEmpty ? "" : Message(key)(language) }
}
