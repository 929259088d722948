/// A command, or a family of commands.
package protocol ParsableCommand: SendableMetatype {
  static var configuration: CommandConfiguration { get }

  /// A command none of whose arguments is given.
  init()

  /// The places of its arguments in the order of their declaration, without `--help` and `--version`, which all commands
  /// have; the same ones at each call, because the parser fills them.
  var slots: [Slot] { get }
}

/// Subcommands under one title of the help.
package struct SubcommandGroup: Sendable {
  /// A text or a key, as in `Help`.
  package let title: String
  let commands: [any ParsableCommand.Type]

  package init(_ title: String, _ commands: [any ParsableCommand.Type]) {
    self.title = title
    self.commands = commands
  }

  /// Those that help and completions show.
  package var listed: [CommandConfiguration] {
    commands.map { $0.configuration }.filter { !$0.isHidden }
  }
}

/// The name, help and subcommands of a command.
package struct CommandConfiguration: Sendable {
  package let name: String
  /// A sentence about the command; a text or a key, as in `Help`.
  package let abstract: String
  /// Further help.
  package let discussion: String
  package let groups: [SubcommandGroup]
  /// Hidden from help and completions.
  package let isHidden: Bool

  package init(
    _ name: String, _ abstract: String, discussion: String = "",
    groups: [SubcommandGroup] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.groups = groups
    self.isHidden = isHidden
  }

  /// A command whose subcommands need no groups.
  package init(
    _ name: String, _ abstract: String, subcommands: [any ParsableCommand.Type]
  ) {
    self.init(name, abstract, groups: [SubcommandGroup("frame.subcommands", subcommands)])
  }

  package var subcommands: [any ParsableCommand.Type] { groups.flatMap(\.commands) }
}

extension ParsableCommand {
  package var slots: [Slot] { [] }

  package static var declarations: [Declaration] { Self().slots.map(\.declaration) }

  package static func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.name == name }
  }

  /// The subcommands that help and completions show.
  package static var listedSubcommands: [CommandConfiguration] {
    configuration.groups.flatMap(\.listed)
  }
}
