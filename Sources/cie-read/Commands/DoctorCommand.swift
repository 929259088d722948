import Arguments
import CardWork
import Messages
import RedirectFlow
import Primitives

/// `cie-read doctor`: checks each requirement, and gives advice for missing parts.
struct DoctorCommand: CommandWork {
  static let configuration = CommandConfiguration("doctor", "command.doctor")
  static let results: [any FunctionResult.Type] = [CheckupResult.self]

  private let moduleLog: String?
  private let environment: String?
  private let report: String?
  private let withCan: Bool
  private let withPin: Bool
  private let pin: CodeInput
  private let skipGenuineCheck: Bool
  private let trust: TrustChoice
  private let source: SourceOptions

  init(from inputs: inout Inputs) throws(Failure) {
    moduleLog = try inputs.text(
      "module-log", help: "option.doctor.module-log", value: "file", completion: .file())
    environment = try LoginEnvironment.name(from: &inputs, help: "option.doctor.environment")
    report = try inputs.text(
      "report", help: "option.doctor.report", value: "file", completion: .file())
    withCan = try inputs.flag("with-can", help: "option.doctor.with-can")
    withPin = try inputs.flag("with-pin", help: "option.doctor.with-pin")
    pin = try inputs.code(.pin)
    skipGenuineCheck = try inputs.flag("skip-genuine-check", help: "option.skip-genuine-check")
    trust = try inputs.part()
    source = try inputs.part()
    _ = try inputs.part(OutputOptions.self)
  }

  /// Longer logs are read from their beginning.
  private static let longestLog = 64 << 20

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let usesPIN = withPin || pin.isGiven
    guard report != nil || !withCan && !usesPIN else { throw .usage("code-without-report") }
    let conversation = try source.conversation()
    let anchors = try trust.store(in: context)
    let environment = try environment.map { (name) throws(Failure) in
      try LoginEnvironment(nameOrFile: name)
    }
    // The report holds no personal data, and is meant to be shared.
    let file = try OutputFile.made(report, overwriting: context.mayOverwrite)
    let can =
      withCan
      ? HeldCode(try AwaitedCode(.can, descriptor: nil, file: nil, in: context)) : nil
    let pin = usesPIN ? try pin.held(in: context) : nil
    var checkup = Checkup(
      conversation: conversation, anchors: anchors,
      vouching: try trust.vouching(asking: false, in: context), environment: environment,
      in: context)
    if let moduleLog {
      let text = try InputFile.read(moduleLog, limit: Self.longestLog, context.interruption)
      checkup.findings += ModuleLog(String(decoding: text, as: UTF8.self)).findings
    }
    var result = checkup.result()
    guard let file, let report else { return CommandOutcome(result, context.language) }
    let vouching: HolderAccess.Vouching =
      skipGenuineCheck ? .skipped : try trust.vouching(asking: true, in: context)
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
