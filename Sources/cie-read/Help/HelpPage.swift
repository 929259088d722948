import ArgumentParser
import Messages

/// The help of a command, made from its declaration: ArgumentParser has its own pages in English alone.
struct HelpPage {
  /// From the program down to the command.
  let commands: [any ParsableCommand.Type]
  let language: Language

  private let width = TextWidth.ofHelp
  /// Columns before the texts.
  private static let margin = 26
  /// Columns below which a text stands below what it is about.
  private static let narrow = 64

  init(_ commands: [any ParsableCommand.Type], _ language: Language) {
    self.commands = commands
    self.language = language
  }

  var lines: [String] {
    guard let command = commands.last else { return [] }
    let configuration = command.configuration
    let arguments = DeclaredArgument.all(of: command).filter(\.shouldDisplay)
    let overview = Message("frame.overview", ["text": configuration.abstract])(language)
    let subcommands = configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
    var parts = [configuration.discussion.wrapped(to: width, indent: 0)]
    parts.insert(overview.wrapped(to: width, indent: 0), at: 0)
    parts.append(
      usage(arguments, hasSubcommands: !subcommands.isEmpty).wrapped(to: width, indent: 2))
    let positional = arguments.filter { $0.kind == .positional }
    parts.append(
      section(Message("frame.arguments"), positional.map { Entry(value(of: $0), text(of: $0)) }))
    parts.append(section(Message("frame.options"), options(arguments)))
    let below = subcommands.map { Entry($0.commandName ?? "", $0.abstract) }
    parts.append(section(Message("frame.subcommands"), below))
    if !subcommands.isEmpty { parts.append(("  " + details).wrapped(to: width, indent: 2)) }
    return Array(parts.filter { $0 != [""] && !$0.isEmpty }.joined(separator: [""]))
  }

  /// What may be written, and what it means.
  private struct Entry {
    let label: String
    let text: String

    init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  private func section(_ title: Message, _ entries: [Entry]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [title(language)] + entries.flatMap { lines(of: $0) }
  }

  private func lines(of entry: Entry) -> [String] {
    let head = "  " + entry.label
    let isBelow = head.count >= Self.margin || width < Self.narrow
    let margin = width < Self.narrow ? 6 : Self.margin
    let blanks = String(repeating: " ", count: isBelow ? margin : margin - head.count)
    return isBelow
      ? head.wrapped(to: width, indent: 4)
        + (blanks + entry.text).wrapped(to: width, indent: margin)
      : (head + blanks + entry.text).wrapped(to: width, indent: margin)
  }

  /// A flag and its contrary, which have one text, stand together.
  private func options(_ arguments: [DeclaredArgument]) -> [Entry] {
    var rows: [Entry] = []
    for argument in arguments where argument.kind != .positional {
      let (label, text) = (synopsis(of: argument), text(of: argument))
      if argument.kind == .flag, let last = rows.popLast() {
        rows +=
          last.text == text ? [Entry(last.label + "/" + label, text)] : [last, Entry(label, text)]
      } else {
        rows.append(Entry(label, text))
      }
    }
    return rows + [
      Entry("--version", Message("frame.version")(language)),
      Entry("-h, --help", Message("frame.help")(language)),
    ]
  }

  /// The text, then its values and what it is where it is not given.
  private func text(of argument: DeclaredArgument) -> String {
    let mayStandAlone = argument.valueName?.hasPrefix("[") == true
    let values = argument.allValues.map {
      Message("frame.values", ["values": $0.joined(separator: ", ")])(language)
    }
    let fallback =
      argument.kind == .flag
      ? nil
      : argument.defaultValue.map {
        Message(mayStandAlone ? "frame.default-as-flag" : "frame.default", ["value": $0])(language)
      }
    let more =
      if let values, let fallback {
        Message("frame.both", ["values": values, "fallback": fallback])(language)
      } else { values ?? fallback }
    return (argument.abstract ?? "") + (more.map { " (\($0))" } ?? "")
  }

  private func synopsis(of argument: DeclaredArgument) -> String {
    [argument.name, argument.kind == .flag ? nil : value(of: argument)].compactMap { $0 }
      .joined(separator: " ")
  }

  /// `<file>`, or `[<persona>]` where it may be left out.
  private func value(of argument: DeclaredArgument) -> String {
    let declared = argument.valueName ?? ""
    let name = declared.filter { $0 != "[" && $0 != "]" }
    let key = name.replacing("|", with: "-")
    let known = Message("value.\(key)")
    let shown = "<\(known.exists ? known(language) : name)>"
    return name == declared ? shown : "[\(shown)]"
  }

  /// All arguments on one line; the options in one word where there are many.
  private func usage(_ arguments: [DeclaredArgument], hasSubcommands: Bool) -> String {
    let many = Message("frame.any-options")(language)
    let isLong = arguments.count > 12
    let shown = arguments.filter { !isLong || $0.kind == .positional }.map { argument in
      let text = synopsis(of: argument) + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? "[\(text)]" : text
    }
    let options = isLong ? [shown.isEmpty ? many : "[\(many)]"] : []
    let command = hasSubcommands ? [Message("frame.subcommand")(language)] : []
    let names = commands.map { $0.configuration.commandName ?? "" }
    return ([Message("frame.usage")(language)] + names + options + shown + command)
      .joined(separator: " ")
  }

  private var details: String {
    let names = commands.dropFirst().map { ($0.configuration.commandName ?? "") + " " }.joined()
    return Message(
      "frame.details", ["names": names, "command": Message("frame.subcommand")])(language)
  }
}
