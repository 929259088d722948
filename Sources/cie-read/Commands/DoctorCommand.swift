import ArgumentParser
import CIECard
import Glibc
import Messages

/// `cie-read doctor`: whether all that is needed is there, thing by thing, and what to do about what is not.
struct DoctorCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("doctor", "command.doctor")
  }

  @Option(help: .text("option.doctor.module-log", value: "file"), completion: .file())
  var moduleLog: String?
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  /// Longer logs are read from their beginning.
  private static let longestLog = 64 << 20

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let conversation = try source.conversation()
    let anchors = try trust.store(in: session)
    var findings: [DoctorFinding] = []
    switch conversation.source {
    case .reader(let selection, _):
      let check = ReaderCheck(selection: selection, conversation: conversation, session: session)
      findings += check.findings
    case .virtual, .replay:
      let check = ReaderCheck(selection: .any, conversation: conversation, session: session)
      findings += check.cardFindings(in: conversation.source)
    }
    let system = SystemCheck(session, anchors: anchors)
    findings += [system.moduleFinding, system.clockFinding, system.anchorFinding]
    if let moduleLog {
      let text = try InputFile.read(moduleLog, limit: Self.longestLog, session.interruption)
      findings += ModuleLog(String(decoding: text, as: UTF8.self)).findings
    }
    var outcome = CommandOutcome(lines: findings.flatMap { $0.lines(session.language) })
    outcome.members = [
      .init("findings", .array(findings.map { $0.json(session.language) }))
    ]
    // The first one keeps all that comes after it from being looked at.
    outcome.failure = findings.lazy.compactMap(\.failure).first.map(Failure.found)
    return outcome
  }
}
