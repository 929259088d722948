import Arguments
import CardWork
import Messages
import Primitives
import Traces
import VirtualCIE

/// `trace stats`: commands, bytes and time by step.
struct TraceStats: FunctionWithoutCard {
  static let name = "trace stats"

  let files: [String]
  let svg: Bool

  func run(in context: RunContext) throws(Failure) -> Result {
    guard !svg || !context.isJSON else { throw .usage("output-twice") }
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-trace") }
    guard !svg || files.count == 1 else {
      throw .usage("one-file-option", key: "svg-of-one-file")
    }
    let counted = try files.map { (path) throws(Failure) in
      try CountedConversation(path, in: context)
    }
    var form = ResultForm()
    if svg { form.bytes = counted.first.map { [UInt8]($0.drawing(context.language).utf8) } }
    return Result(counted: counted, form: form)
  }
}

extension TraceStats {
  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.trace.files", value: "file", completion: .file())
    svg = try inputs.flag("svg", help: "option.trace.svg")
  }

  struct Result: FunctionResult {
    let counted: [CountedConversation]
    let form: ResultForm

    static let members: [Member<Result>] = [Member("files", \.counted)]

    func lines(_ language: Language) -> [String] {
      guard form.bytes == nil else { return [] }
      return Array(counted.map { $0.lines(language) }.joined(separator: [""]))
    }
  }
}

/// `trace from-report`: a log and a report of `doctor` become a trace of the software card.
struct TraceFromReport: FunctionWithoutCard {
  static let name = "trace from-report"

  let files: [String]
  let out: String?

  func run(in context: RunContext) throws(Failure) -> RebuiltCard {
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
    return RebuiltCard(
      persona: card.persona.identifier, options: explained.options, left: explained.left,
      rebuilt: rebuilt, out: out)
  }
}

extension TraceFromReport {
  typealias Result = RebuiltCard

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.trace.log-report", value: "file", completion: .file())
    out = try inputs.text("out", help: "option.trace.out", value: "file", completion: .file())
    _ = try inputs.part(Overwriting.self)
  }
}
