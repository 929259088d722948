import Arguments
import CardWork
import Messages
import RedirectFlow
import Primitives

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
  @OptionGroup var pin: CodeOptions
  @Flag(help: .text("option.skip-genuine-check")) var skipGenuineCheck = false
  @OptionGroup var trust: Part<TrustChoice>
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  /// Longer logs are read from their beginning.
  private static let longestLog = 64 << 20

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let usesPIN = withPin || !pin.given.isEmpty
    guard report != nil || !withCan && !usesPIN else { throw .usage("code-without-report") }
    let conversation = try source.conversation()
    let anchors = try trust.value().store(in: context)
    let environment = try environment.map { (name) throws(Failure) in
      try LoginEnvironment(nameOrFile: name)
    }
    // The report holds no personal data, and is meant to be shared.
    let file = try OutputFile.made(report, overwriting: context.mayOverwrite)
    let can =
      withCan
      ? HeldCode(try AwaitedCode(.can, descriptor: nil, file: nil, in: context)) : nil
    let pin = usesPIN ? try pin.held(context) : nil
    var checkup = Checkup(
      conversation: conversation, anchors: anchors,
      vouching: try trust.value().vouching(asking: false, in: context), environment: environment,
      in: context)
    if let moduleLog {
      let text = try InputFile.read(moduleLog, limit: Self.longestLog, context.interruption)
      checkup.findings += ModuleLog(String(decoding: text, as: UTF8.self)).findings
    }
    var result = checkup.result()
    guard let file, let report else { return CommandOutcome(result, context.language) }
    let vouching: HolderAccess.Vouching =
      skipGenuineCheck ? .skipped : try trust.value().vouching(asking: true, in: context)
    let (text, card) = try checkup.report(can: can, pin: pin, vouching: vouching)
    try file.commit([UInt8](text.utf8))
    let count = card?.observations.count ?? 0
    let written = Message("doctor.report.written", ["path": report, "count": count])
    let end = card?.end.map {
      Message("doctor.report.ended", ["reason": Diagnosis(inDoctor: $0).what])
    }
    result.add(card, report: report, [written] + (end.map { [$0] } ?? []))
    return CommandOutcome(result, context.language)
  }
}
