import Arguments
import CardWork
import Messages
import Primitives
import VirtualCIE

/// `cie-read help`, or `cie-read pin help`: the help of a command below `Parent`, or of a topic that concerns all
/// commands.
struct HelpCommand<Parent: ParsableCommand>: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("help", "", isHidden: true)
  }

  private let topics = Argument<[String]>(
    wrappedValue: [], name: "topics", help: .hidden,
    completion: .words(Parent.listedSubcommands.map(\.name)))
  /// `help nis --help` asks for the help of nis.
  private let others: [Slot] =
    [Flag(wrappedValue: false, name: "help", help: .hidden)] + OutputOptions.slots

  var slots: [Slot] { [topics] + others }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let words = topics.wrappedValue.filter { $0 != "help" }
    switch words {
    case ["exit-codes"]: return Self.exitCodes(context.language)
    case ["environment"]: return Self.environment(context.language)
    case ["personas"]: return Self.personas(context.language)
    case ["options"]: return CommandOutcome(lines: CommonOptions.lines(context.language))
    case ["codes"], ["json"], ["privacy"]: return Self.text(words[0], context.language)
    default: break
    }
    let root: [any ParsableCommand.Type] = [CieRead.self]
    var path = Parent.self == CieRead.self ? root : root + [Parent.self]
    for word in words {
      guard let next = path.last?.subcommand(word) else { throw .usage("unknown-topic") }
      path.append(next)
    }
    return CommandOutcome(lines: HelpPage(path, context.language).lines)
  }

  private static func exitCodes(_ language: Language) -> CommandOutcome {
    let rows = ExitStatus.all.map { ($0.rawValue, $0.meaning(language)) }
    return CommandOutcome(
      lines: table(rows.map { (String($0), $1) }),
      members: [
        .init("exitCodes", objects: rows.map { [.init("exit", Int($0)), .init("meaning", $1)] })
      ])
  }

  /// The environment variables of the program, and of the libraries that it uses.
  private static func environment(_ language: Language) -> CommandOutcome {
    let rows = [
      ("LC_ALL, LC_MESSAGES, LANG", Message("environment.locale", ["codes": Language.codes])),
      ("COLUMNS", Message("environment.columns")),
      (
        "TERM, TERM_PROGRAM, COLORTERM, NO_COLOR, KITTY_WINDOW_ID, TMUX",
        Message("environment.term")
      ),
      ("XDG_DATA_HOME, HOME", Message("environment.home")),
      ("XDG_STATE_HOME, HOME", Message("environment.state")),
      ("SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT", Message("environment.login")),
      ("https_proxy, http_proxy, all_proxy, no_proxy", Message("environment.proxy")),
      ("PCSCLITE_CSOCK_NAME", Message("environment.pcsc")),
    ].map { ($0, $1(language)) }
    return CommandOutcome(
      lines: table(rows),
      members: [
        .init("environment", objects: rows.map { [.init("names", $0), .init("meaning", $1)] })
      ])
  }

  private static func text(_ topic: String, _ language: Language) -> CommandOutcome {
    let paragraphs = (1...).lazy.map { Message("topic.\(topic).\($0)") }.prefix(while: \.exists)
      .map { $0(language) }
    return CommandOutcome(
      lines: Array(
        paragraphs.map { $0.wrapped(to: TextWidth.ofHelp, indent: 0) }.joined(separator: [""])),
      members: [
        .init("topic", topic), .init("paragraphs", Array(paragraphs)),
      ])
  }

  /// The personas of the software card, with the codes of their cards.
  private static func personas(_ language: Language) -> CommandOutcome {
    let intro = Message("topic.personas")(language)
    let rows = Persona.everyone.map {
      ($0.identifier, "PIN \($0.pin)  PUK \($0.puk)  CAN \($0.can)  \($0.name)")
    }
    return CommandOutcome(
      lines: intro.wrapped(to: TextWidth.ofHelp, indent: 0) + [""] + table(rows),
      members: [
        .init(
          "personas",
          objects: Persona.everyone.map {
            [
              .init("name", $0.identifier), .init("pin", $0.pin), .init("puk", $0.puk),
              .init("can", $0.can), .init("holder", $0.name),
            ]
          })
      ])
  }

  /// A table with words to the left and their meaning to the right, or below if there is no room.
  private static func table(_ rows: [(String, String)]) -> [String] {
    let width = TextWidth.ofHelp
    let column = min(rows.map(\.0.count).max() ?? 0, width / 5) + 2
    return rows.flatMap { name, meaning -> [String] in
      let margin = String(repeating: " ", count: column)
      guard name.count + 2 <= column else {
        return name.wrapped(to: width, indent: 2)
          + (margin + meaning).wrapped(to: width, indent: column)
      }
      let head = name + String(repeating: " ", count: column - name.count)
      return (head + meaning).wrapped(to: width, indent: column)
    }
  }
}
