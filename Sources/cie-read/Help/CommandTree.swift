import Arguments
import Messages
import Primitives

/// All commands with their arguments as JSON, and the exit and HTTP status of each kind of failure, for the tools that write
/// the manual.
struct CommandTree {
  let language: Language

  func json(of root: any ParsableCommand.Type) -> JSON {
    .object([
      .init("command", object(root)),
      .init(
        "kinds",
        .array(
          Diagnosis.Kind.allCases.map {
            .object([
              .init("exit", $0.exitStatus), .init("http", $0.consequences.http),
            ])
          })),
    ])
  }

  /// A command with those below it.
  private func object(_ command: any ParsableCommand.Type) -> JSON {
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
      .init("value", argument.valueName), .init("values", argument.values),
      .init("fallback", argument.fallback), .init("bare", argument.bareValue),
      .init("isRequired", argument.isRequired), .init("isRepeating", argument.isRepeating),
      .init("isHidden", argument.isHidden),
    ])
  }

  private func text(_ key: String) -> String { key.isEmpty ? "" : Message(key)(language) }
}

/// The answer to a shell that asks for completions: `file`, `folder` or `words` on the first line; then the ending of the
/// files, or each word and its help on two lines.
struct ShellCompletion {
  let root: any ParsableCommand.Type
  let language: Language

  func lines(after words: some Sequence<String>) -> [String] {
    switch Continuation(of: Array(words), to: root) {
    case .file(let ending): ["file", ending ?? ""]
    case .folder: ["folder"]
    case .words(let words): ["words"] + words.flatMap { [$0, text(of: $0, $1)] }
    }
  }

  private func text(of word: String, _ help: String) -> String {
    switch word {
    case "--help": Message("frame.help")(language)
    case "--version": Message("frame.version")(language)
    default: help.isEmpty ? "" : Message(help)(language)
    }
  }
}
