import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import RedirectFlow
import Primitives
import Traces

/// `cie-read doctor`: checks each requirement, and gives advice for missing parts.
struct DoctorCommand: CardCommand {
  static let configuration = CommandConfiguration("doctor", "command.doctor")

  @Option(help: .text("option.doctor.module-log", value: "file"), completion: .file())
  var moduleLog: String?
  @Option(help: .text("option.doctor.environment", value: "name|file"), completion: .environments)
  var environment: String?
  @Option(help: .text("option.doctor.report", value: "file"), completion: .file())
  var report: String?
  @Flag(help: .text("option.doctor.with-can")) var withCan = false
  @Flag(help: .text("option.doctor.with-pin")) var withPin = false
  @OptionGroup var pin: CodeOptions<PINCode>
  @Flag(help: .text("option.skip-genuine-check")) var skipGenuineCheck = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  /// Longer logs are read from their beginning.
  private static let longestLog = 64 << 20

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    let usesPIN = withPin || pin.descriptor != nil || pin.file != nil
    guard report != nil || !withCan && !usesPIN else { throw .usage(.codeWithoutReport) }
    let conversation = try source.conversation()
    let anchors = try trust.store(in: session)
    let environment = try environment.map { (name) throws(Failure) in
      try LoginEnvironment(nameOrFile: name)
    }
    // The report holds no personal data, and is meant to be shared.
    let file = try OutputFile.made(report, overwriting: session.mayOverwrite)
    let can =
      withCan
      ? HeldCode(try AwaitedCode(.can, descriptor: nil, file: nil, in: session)) : nil
    let pin = usesPIN ? try pin.held(session) : nil
    var readers: [String] = []
    var findings = look(for: conversation, &readers, in: session)
    let system = SystemCheck(session, anchors: anchors)
    findings += [system.moduleFinding, system.clockFinding, system.anchorFinding]
    findings.append(NetworkCheck(environment: environment, session: session).finding)
    if let moduleLog {
      let text = try InputFile.read(moduleLog, limit: Self.longestLog, session.interruption)
      findings += ModuleLog(String(decoding: text, as: UTF8.self)).findings
    }
    var outcome = CommandOutcome(lines: findings.flatMap { $0.lines(session.language) })
    outcome.members = [
      .init("findings", .array(findings.map { $0.json(session.language) }))
    ]
    // The first failure prevents the checks after it.
    outcome.failure = findings.lazy.compactMap(\.failure).first.map(Failure.found)
    guard let file, let report else { return outcome }
    var card: SurveyedCard?
    if findings.contains(where: \.isOfAnsweringCard) {
      let access = HolderAccess(
        allowsLastTry: false,
        vouching: skipGenuineCheck ? .skipped : try trust.vouching(asking: true, in: session))
      card = try SurveyJob(can: can, pin: pin, access: access, diary: TraceRecorder())
        .run(on: conversation, in: session)
    }
    let text = ShareableReport(findings: findings, readers: readers, card: card, day: session.time)
    try file.commit([UInt8](text.text.utf8))
    outcome.add(card, writtenTo: report, session.language)
    return outcome
  }

  private func look(
    for conversation: Conversation, _ readers: inout [String], in session: RunContext
  ) -> [DoctorFinding] {
    switch conversation.source {
    case .reader(let selection, _):
      return ReaderCheck(selection: selection, conversation: conversation, session: session)
        .findings(&readers)
    case .substitute:
      var traits: ChannelTraits?
      return ReaderCheck(selection: .any, conversation: conversation, session: session)
        .cardFindings(in: conversation.source, &traits)
    }
  }
}

extension CommandOutcome {
  /// Adds the card's part of a report.
  fileprivate mutating func add(_ card: SurveyedCard?, writtenTo path: String, _ language: Language)
  {
    let observations = card?.observations ?? []
    lines.append(
      Message("doctor.report.written", ["path": path, "count": observations.count])(language))
    if let end = card?.end.map({ Diagnosis(inDoctor: $0) }) {
      lines.append(Message("doctor.report.ended", ["reason": end.what])(language))
      // A wrong PIN, for example, is not only for the report.
      if failure == nil { failure = .found(end) }
    }
    let survey = observations.map { observation in
      JSON.object([
        .init("number", observation.number), .init("subject", observation.subject),
        .init("answer", observation.answer),
      ])
    }
    members += [.init("report", path), .init("survey", .array(survey))]
  }
}
