import Arguments
import CardWork
import Messages
import Primitives

/// `trace show`: every command with its name, file, lengths and answer.
struct TraceShow: FunctionWithoutCard {
  static let name = "trace show"

  let file: String
  let html: Bool

  func run(in context: RunContext) throws(Failure) -> Result {
    guard !html || !context.isJSON else { throw .usage("output-twice") }
    let shown = try ShownConversation(file, in: context)
    var form = ResultForm()
    if html { form.bytes = [UInt8](shown.page(context.language).utf8) }
    return Result(shown: shown, form: form)
  }
}

extension TraceShow {
  init(from inputs: inout Inputs) throws(Failure) {
    file = try inputs.argument(
      "file", help: "option.trace.file", value: "file", completion: .file())
    html = try inputs.flag("html", help: "option.trace.html")
  }

  struct Result: FunctionResult {
    let shown: ShownConversation
    let form: ResultForm

    static let members: [Member<Result>] = Member.all(of: \.shown)

    func lines(_ language: Language) -> [String] {
      form.bytes == nil ? shown.lines(language) : []
    }
  }
}

/// `trace check`: form, personal data, replay.
struct TraceCheck: FunctionWithoutCard {
  static let name = "trace check"

  let files: [String]

  func run(in context: RunContext) throws(Failure) -> CheckedTraces {
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-trace") }
    return CheckedTraces(
      files: try files.map { (path) throws(Failure) in try CheckedTrace(path, in: context) })
  }
}

extension TraceCheck {
  typealias Result = CheckedTraces

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.trace.files", value: "file", completion: .file())
  }
}

/// `trace diff`: where two conversations part.
struct TraceDiff: FunctionWithoutCard {
  static let name = "trace diff"

  let first: String
  let second: String

  func run(in context: RunContext) throws(Failure) -> ComparedConversations {
    try ComparedConversations(first, second, in: context)
  }
}

extension TraceDiff {
  typealias Result = ComparedConversations

  init(from inputs: inout Inputs) throws(Failure) {
    first = try inputs.argument(
      "first", help: "option.trace.a", value: "file", completion: .file())
    second = try inputs.argument(
      "second", help: "option.trace.b", value: "file", completion: .file())
  }
}
