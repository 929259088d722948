import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// `cie-read watch`: reports cards as they come and go, a JSON object an event, in one process.
struct WatchCommand: CardCommand {
  enum Task: String, ArgumentValue, CaseIterable {
    case nis, verify, read, none
  }

  static let configuration = CommandConfiguration("watch", "command.watch")

  @Option(name: "do", help: .text("option.watch.do")) var task = Task.nis
  @Option(help: .text("option.watch.exec", value: "program"), completion: .file()) var exec: String?
  @Argument(help: .text("option.watch.arguments", value: "arguments")) var arguments: [String] = []
  @Flag(help: .text("option.watch.once")) var once = false
  @Option(help: .text("option.watch.deadline", value: "seconds")) var deadline: Int?
  @Flag(help: .text("option.nis.require-proved")) var requireProved = false
  @OptionGroup var access: Part<DocumentKey>
  @Option(help: .text("option.watch.only", value: "groups"), completion: .groups) var only: String?
  @OptionGroup var validity: Part<ValidityChoice>
  @OptionGroup var trust: Part<TrustChoice>
  @Option(help: .text("option.watch.record", value: "folder"), completion: .file())
  var record: String?
  @OptionGroup var source: WatchedSourceOptions
  @OptionGroup var output = OutputOptions(
    json: .text("option.json-events"), quiet: .text("option.watch.quiet"))

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
    let isKeyGiven = !access.given.isEmpty
    let given = [
      ("--record", record != nil && task == .none),
      ("--require-proved", requireProved && task != .nis),
      ("--can", isKeyGiven && [.nis, .none].contains(task)),
      ("--only", only != nil && task != .read && !(task == .verify && isKeyGiven)),
      ("--require-valid", !validity.given.isEmpty && [.nis, .none].contains(task)),
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
    let trust = try trust.value().store(for: card, in: context)
    let groups = try only.map { text throws(Failure) in try DataGroupList.groups(in: text) }
    switch task {
    case .none: return nil
    case .nis:
      return NIS(requireProved: requireProved, trust: TrustChoice(trust)).outcome
    case .verify:
      return Verify(
        key: try access.value(), groups: groups, from: nil, challenge: nil,
        validity: try validity.value(), trust: TrustChoice(trust)
      ).outcome
    case .read:
      return Read(
        key: try access.value(), groups: groups, photo: nil, out: nil,
        validity: try validity.value(), trust: TrustChoice(trust)
      ).outcome
    }
  }
}
