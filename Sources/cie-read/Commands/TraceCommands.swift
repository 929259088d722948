import Arguments
import CIECard
import CardWork
import Messages
import Primitives
import Traces
import VirtualCIE

/// `cie-read trace`: conversations with a card, for people. A trace has every byte and can be replayed, a log has not.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trace", "command.trace",
    subcommands: [
      TraceShowCommand.self, TraceCheckCommand.self, TraceDiffCommand.self,
      TraceStatsCommand.self, TraceFromReportCommand.self, HelpCommand<TraceCommand>.self,
    ])
}

/// `cie-read trace show`: every command with its name, file, lengths and answer.
struct TraceShowCommand: CardCommand {
  static let configuration = CommandConfiguration("show", "command.trace-show")

  @Argument(isRequired: true, help: .text("option.trace.file", value: "file"), completion: .file())
  var file = ""
  @Flag(help: .text("option.trace.html")) var html = false
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard !html || !context.isJSON else { throw .usage("output-twice") }
    let shown = try ShownConversation(file, in: context)
    guard html else { return CommandOutcome(shown, context.language) }
    return CommandOutcome(bytes: [UInt8](shown.page(context.language).utf8))
  }
}

/// `cie-read trace check`: form, personal data, replay.
struct TraceCheckCommand: CardCommand {
  static let configuration = CommandConfiguration("check", "command.trace-check")

  @Argument(help: .text("option.trace.files", value: "file"), completion: .file())
  var files: [String] = []
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-trace") }
    var checked: [CheckedTrace] = []
    for path in files { checked.append(try CheckedTrace(path, in: context)) }
    return CommandOutcome(CheckedTraces(files: checked), context.language)
  }
}

/// `cie-read trace diff`: where two conversations part.
struct TraceDiffCommand: CardCommand {
  static let configuration = CommandConfiguration("diff", "command.trace-diff")

  @Argument(isRequired: true, help: .text("option.trace.a", value: "file"), completion: .file())
  var first = ""
  @Argument(isRequired: true, help: .text("option.trace.b", value: "file"), completion: .file())
  var second = ""
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try ComparedConversations(first, second, in: context), context.language)
  }
}

/// `cie-read trace stats`: commands, bytes and time by step.
struct TraceStatsCommand: CardCommand {
  static let configuration = CommandConfiguration("stats", "command.trace-stats")

  @Argument(help: .text("option.trace.files", value: "file"), completion: .file())
  var files: [String] = []
  @Flag(help: .text("option.trace.svg")) var svg = false
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard !svg || !context.isJSON else { throw .usage("output-twice") }
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-trace") }
    guard !svg || files.count == 1 else {
      throw .usage("one-file-option", key: "svg-of-one-file")
    }
    var counted: [CountedConversation] = []
    for path in files { counted.append(try CountedConversation(path, in: context)) }
    if svg, let only = counted.first {
      return CommandOutcome(bytes: [UInt8](only.drawing(context.language).utf8))
    }
    return CommandOutcome(
      lines: Array(counted.map { $0.lines(context.language) }.joined(separator: [""])),
      members: [.init("files", objects: counted.map { $0.members(context.language) })])
  }
}

/// `cie-read trace from-report`: a log and a report of `doctor` become a trace of the software card.
struct TraceFromReportCommand: CardCommand {
  static let configuration = CommandConfiguration("from-report", "command.trace-from-report")

  @Argument(help: .text("option.trace.log-report", value: "file"), completion: .file())
  var files: [String] = []
  @Option(help: .text("option.trace.out", value: "file"), completion: .file()) var out: String?
  @OptionGroup var overwriting: Part<Overwriting>
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    // The report alone gives the options; with the log before it, a trace.
    guard let report = files.last, files.count == (out == nil ? 1 : 2), let log = files.first else {
      throw .usage("log-and-report")
    }
    let card = try ReportedCard(report, in: context)
    let field = try out.map { _ throws(Failure) in try FieldSession(log, in: context) }
    let file = try OutputFile.made(out, overwriting: context.mayOverwrite)
    let explained = try card.explained(in: context)
    var rebuilt: FieldSession.Rebuilt?
    if let field, let file {
      let day = UTCTime(seconds: context.time.seconds / 86_400 * 86_400)
      rebuilt = try field.rebuilt(as: card.persona, explained.options, at: day)
      guard let trace = rebuilt?.trace else { throw .usage("log-not-rebuilt") }
      try file.commit([UInt8](trace.text.utf8))
    }
    return CommandOutcome(
      RebuiltCard(
        persona: card.persona.identifier, options: explained.options, left: explained.left,
        rebuilt: rebuilt, out: out), context.language)
  }
}
