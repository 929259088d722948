import Arguments
import CardWork
import Messages
import Primitives

/// The help of a command, made from its declaration.
struct HelpPage {
  /// From the program down to the command.
  let commands: [any ParsableCommand.Type]
  let language: Language

  private let width = TextWidth.ofHelp
  /// Columns before the texts.
  private static let margin = 26
  /// Columns below which a text stands below its term.
  private static let narrow = 64

  init(_ commands: [any ParsableCommand.Type], _ language: Language) {
    self.commands = commands
    self.language = language
  }

  var lines: [String] {
    guard let command = commands.last else { return [] }
    let configuration = command.configuration
    let arguments = command.declarations.filter { !$0.isHidden }
    let groups = configuration.groups
    let more = Message("\(configuration.abstract).more")
    var parts = [
      Message("frame.overview", ["text": Message(configuration.abstract)])(language)
        .wrapped(to: width, indent: 0)
    ]
    if more.exists { parts.append(more(language).wrapped(to: width, indent: 0)) }
    parts.append(
      usage(arguments, hasSubcommands: !groups.isEmpty).wrapped(to: width, indent: 2))
    let positional = arguments.filter { $0.kind == .positional }
    parts.append(
      section(Message("frame.arguments"), positional.map { (value(of: $0), text(of: $0)) }))
    parts += options(arguments)
    parts += groups.map { group in
      section(
        Message(group.title),
        group.listed.map { ($0.name, Message($0.abstract)(language)) })
    }
    if !groups.isEmpty { parts.append(("  " + details).wrapped(to: width, indent: 2)) }
    return Array(parts.filter { $0 != [""] && !$0.isEmpty }.joined(separator: [""]))
  }

  private typealias Entry = (label: String, text: String)

  private func section(_ title: Message, _ entries: [Entry]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return title(language).wrapped(to: width, indent: 2) + entries.flatMap { lines(of: $0) }
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

  /// A section for the command's own options, one for each group of those that it shares with few, and one with the names
  /// of those that many have.
  private func options(_ arguments: [Declaration]) -> [[String]] {
    let options = arguments.filter { $0.kind != .positional }
    let titles = options.map(\.group).reduce(into: [String?]()) { titles, title in
      if title != OutputOptions.title, !titles.contains(title) { titles.append(title) }
    }
    let own: [String?] = titles.contains(nil) ? [nil] : []
    let groups = titles.compactMap { $0 }
    let few = groups.filter { !CommonOptions.groups.contains($0) }
    let common = groups.filter { CommonOptions.groups.contains($0) }
    return (own + few).map { section(title($0), entries(options, $0)) }
      + [section(Message("frame.common"), common.map { names(options, $0) })]
      + [section(title(OutputOptions.title), entries(options, OutputOptions.title) + general)]
  }

  func section(of group: String, _ options: [Declaration]) -> [String] {
    section(title(group), entries(options, group))
  }

  private func title(_ group: String?) -> Message {
    group.map { Message("frame.group.\($0)") } ?? Message("frame.options")
  }

  private func entries(_ options: [Declaration], _ group: String?) -> [Entry] {
    options.filter { $0.group == group }.map { argument in
      (synopses(of: argument).joined(separator: "/"), text(of: argument))
    }
  }

  /// The names of a group's options, behind its title.
  private func names(_ options: [Declaration], _ group: String) -> Entry {
    let names = options.filter { $0.group == group }
      .map { ([$0.spelling] + ($0.contrary.map { ["--" + $0] } ?? [])).joined(separator: "/") }
    return (title(group)(language), names.joined(separator: " "))
  }

  private var general: [Entry] {
    [
      ("--version", Message("frame.version")(language)),
      ("-h, --help", Message("frame.help")(language)),
    ]
  }

  /// The text, then its values and its default.
  private func text(of argument: Declaration) -> String {
    let list = argument.listedValues.joined(separator: ", ")
    let values = list.isEmpty ? nil : Message("frame.values", ["values": list])(language)
    let fallback =
      (argument.bareValue.map { Message("frame.default-as-flag", ["value": $0]) }
      ?? argument.fallback.map { Message("frame.default", ["value": $0]) })?(language)
    let more =
      if let values, let fallback {
        Message("frame.both", ["values": values, "fallback": fallback])(language)
      } else { values ?? fallback }
    return Message(argument.help.text)(language) + (more.map { " (\($0))" } ?? "")
  }

  /// The argument as it is typed; a flag, and then its contrary.
  private func synopses(of argument: Declaration) -> [String] {
    switch argument.kind {
    case .positional: [value(of: argument)]
    case .option: [argument.spelling + " " + value(of: argument)]
    case .flag: [argument.spelling] + (argument.contrary.map { ["--" + $0] } ?? [])
    }
  }

  /// `<file>`, or `[<persona>]` if it may be left out.
  private func value(of argument: Declaration) -> String {
    let name = argument.valueName
    let key = name.exchanging("|", for: "-")
    let known = Message("value.\(key)")
    let shown = "<\(known.exists ? known(language) : name)>"
    return argument.bareValue == nil ? shown : "[\(shown)]"
  }

  /// All arguments on one line; the options in one word if they are many.
  private func usage(_ arguments: [Declaration], hasSubcommands: Bool) -> String {
    let many = Message("frame.any-options")(language)
    let isLong = arguments.count > 12
    let shown = arguments.filter { !isLong || $0.kind == .positional }.flatMap { argument in
      synopses(of: argument).map { synopsis in
        let text = synopsis + (argument.isRepeating ? " ..." : "")
        return argument.isRequired ? text : "[\(text)]"
      }
    }
    let options = isLong ? [shown.isEmpty ? many : "[\(many)]"] : []
    let command = hasSubcommands ? [Message("frame.subcommand")(language)] : []
    let names = commands.map { $0.configuration.name }
    return ([Message("frame.usage")(language)] + names + options + shown + command)
      .joined(separator: " ")
  }

  private var details: String {
    let names = commands.dropFirst().map { $0.configuration.name + " " }.joined()
    return Message(
      "frame.details", ["names": names, "command": Message("frame.subcommand")])(language)
  }
}

/// The options that many commands have: a page of help names them, and `cie-read help options` explains them.
struct CommonOptions: Readable {
  init(from inputs: inout Inputs) throws(Failure) {
    for role: CodeRole in [.pin, .newPIN, .puk, .password, .oneTimeCode, .newLocalCode] {
      _ = try inputs.code(role)
    }
    _ = try inputs.part(HolderChoice.self)
    _ = try inputs.part(ValidityChoice.self)
    _ = try inputs.part(SourceOptions.self)
  }

  static let groups = [
    HolderChoice.title, SourceOptions.title, TrustChoice.title, SubstituteOptions.title,
  ].compactMap { $0 }

  static func lines(_ language: Language) -> [String] {
    let page = HelpPage([], language)
    let options = slots.map(\.declaration)
    return Array(groups.map { page.section(of: $0, options) }.joined(separator: [""]))
  }
}
