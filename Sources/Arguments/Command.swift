/// Properties that are arguments of a command.
package protocol ParsableArguments {
  init()

  /// The title of their group in the help, or its key; `nil` for those of a command.
  static var title: String? { get }
}

extension ParsableArguments {
  package static var title: String? { nil }

  /// The arguments that were given, as they are typed.
  package var given: [String] { Slot.all(of: self).filter(\.isGiven).map(\.declaration.spelling) }
}

/// A command, or a family of commands.
package protocol ParsableCommand: ParsableArguments, SendableMetatype {
  static var configuration: CommandConfiguration { get }
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
  /// The arguments in the order of their declaration, without `--help` and `--version`, which all commands have.
  package static var declarations: [Declaration] { Slot.all(of: Self()).map(\.declaration) }

  package static func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.name == name }
  }

  /// The subcommands that help and completions show.
  package static var listedSubcommands: [CommandConfiguration] {
    configuration.groups.flatMap(\.listed)
  }
}

extension Slot {
  /// The places of all arguments of a command or a group, each with its name.
  static func all(of arguments: Any) -> [Slot] {
    Mirror(reflecting: arguments).children.flatMap { label, value -> [Slot] in
      guard let slot = value as? Slot else { return [] }
      if slot.declaration.name.isEmpty { slot.declaration.name = kebabCase(label ?? "") }
      return slot.members()
    }
  }

  /// `_spUrl`, the stored property of a wrapper, is `sp-url`.
  private static func kebabCase(_ property: String) -> String {
    property.reduce(into: "") { name, letter in
      guard letter != "_" else { return }
      if letter.isUppercase, !name.isEmpty { name += "-" }
      name += letter.lowercased()
    }
  }
}
