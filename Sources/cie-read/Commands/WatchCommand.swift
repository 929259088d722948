import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// `cie-read watch`: reports cards as they come and go, a JSON object an event, in one process.
struct WatchCommand: CommandWork {
  enum Task: String, ArgumentValue, CaseIterable {
    case nis, verify, read, none
  }

  static let configuration = CommandConfiguration("watch", "command.watch")

  private let task: Task
  private let exec: String?
  private let arguments: [String]
  private let once: Bool
  private let deadline: Int?
  private let requireProved: Bool
  private let key: DocumentKey
  private let only: String?
  private let evidence: EvidenceChoice
  private let validity: ValidityChoice
  private let trust: TrustChoice
  private let record: String?
  private let source: WatchedSourceOptions

  init(from inputs: inout Inputs) throws(Failure) {
    task = try inputs.option("do", default: .nis, help: "option.watch.do", value: "do")
    exec = try inputs.text(
      "exec", help: "option.watch.exec", value: "program", completion: .file())
    arguments = try inputs.arguments(
      "arguments", help: "option.watch.arguments", value: "arguments")
    once = try inputs.flag("once", help: "option.watch.once")
    deadline = try inputs.option("deadline", help: "option.watch.deadline", value: "seconds")
    requireProved = try inputs.flag("require-proved", help: "option.nis.require-proved")
    key = try inputs.part()
    only = try inputs.text(
      "only", help: "option.watch.only", value: "groups", completion: .groups)
    evidence = try inputs.group(EvidenceChoice.title, isSingle: true) { (inputs) throws(Failure) in
      try EvidenceChoice(ofMany: &inputs)
    }
    validity = try inputs.part()
    trust = try inputs.part()
    record = try inputs.text(
      "record", help: "option.watch.record", value: "folder", completion: .file())
    source = try inputs.part()
    _ = try OutputOptions.ofEvents(from: &inputs, quiet: "option.watch.quiet")
  }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    if let option = unfit { throw .usage("wrong-watch-option", ["option": option]) }
    guard (1...86_400).contains(deadline ?? 1) else { throw .usage("bad-deadline") }
    var card = try source.conversation(isRecorded: record != nil)
    card.release = .otherProgram
    let watch = CardWatch(
      job: try job(for: card, in: context), command: task == .none ? nil : task.rawValue,
      conversation: card, program: try program(),
      logs: try record.map { (path) throws(Failure) in try CardLogs(path) }, isOnce: once,
      lines: EventLines(to: .output, context.interruption), context: context)
    guard let deadline else { return try run(watch) }
    do throws(Failure) {
      return try context.ending(after: deadline) { () throws(Failure) in try run(watch) }
    } catch {
      guard case .deadline = error else { throw error }
      // The job is done; but one card was requested, and no card came.
      if once {
        var diagnosis = Diagnosis(ChannelError.noCard)
        diagnosis.advice = Message("no-card-watched.do")
        throw .found(diagnosis)
      }
      return CommandOutcome()
    }
  }

  private func run(_ watch: CardWatch) throws(Failure) -> CommandOutcome {
    switch watch.conversation.source {
    case .reader(let selection, _):
      return try watch.run(
        selection, ServiceManager { name in Environment.value(of: name) })
    case .substitute(let card): return try watch.run(at: card.place, card.answerToReset)
    }
  }

  /// An option without effect on this task, which the user expects to have one.
  private var unfit: String? {
    let given = [
      ("--record", record != nil && task == .none),
      ("--require-proved", requireProved && task != .nis),
      ("--can", key.isGiven && [.nis, .none].contains(task)),
      ("--only", only != nil && task != .read && !(task == .verify && key.isGiven)),
      ("--challenge-file", evidence.isWanted && task == .none),
      ("--audience", evidence.audience != nil && !evidence.isWanted),
      ("--terminal-key", evidence.terminalKey != nil && !evidence.isWanted),
      ("--require-valid", validity.isRequired && [.nis, .none].contains(task)),
    ]
    return given.first { $0.1 }?.0
  }

  private func program() throws(Failure) -> ResultProgram? {
    guard let exec else {
      guard arguments.isEmpty else { throw .usage("unexpected-argument") }
      return nil
    }
    let isPath = exec.contains("/")
    let path = isPath ? exec : ChildProcess.path(of: exec)
    guard let path, !isPath || Primitives.access(path, X_OK) == 0 else {
      throw .file(.unreadable(path: exec, errno: isPath ? errno : ENOENT))
    }
    return ResultProgram(path: path, arguments: arguments)
  }

  private func job(
    for card: Conversation, in context: RunContext
  ) throws(Failure) -> CardWatch.Job? {
    let trust = try trust.store(for: card, in: context)
    let groups = try only.map { text throws(Failure) in try DataGroupList.groups(in: text) }
    switch task {
    case .none: return nil
    case .nis:
      return NIS(
        requireProved: requireProved, evidence: evidence, trust: TrustChoice(trust)
      ).outcome
    case .verify:
      return Verify(
        key: key, groups: groups, from: nil, evidence: evidence,
        expectation: EvidenceExpectation(), validity: validity, trust: TrustChoice(trust)
      ).outcome
    case .read:
      return Read(
        key: key, groups: groups, photo: nil, out: nil, evidence: evidence,
        validity: validity, trust: TrustChoice(trust)
      ).outcome
    }
  }
}
