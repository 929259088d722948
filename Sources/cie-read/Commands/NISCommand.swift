import ArgumentParser
import CIECard

/// `cie-read nis`: the services number, and what could be proved of it.
struct NISCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "nis", it: "Legge il numero servizi (NIS) e dice che cosa se ne può provare; senza PIN.",
      en: "Read the services number (NIS) and tell what can be proved of it; without a PIN.")
  }

  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> Outcome {
    let job = EvidenceJob(
      scope: .servicesNumber, challenge: nil, trust: try trust.store(in: session))
    let finding = try source.source().perform(job, record: source.record, in: session)
    var outcome = Outcome(lines: [finding.number.description])
    outcome.members = [.init("servicesNumber", finding.number.description)]
    // These files are not read here: they say nothing of the number.
    outcome.add(
      finding.report, leavingOut: [.hash(.deviceKey), .hash(.dhParameters)], session.language)
    // Read and nothing false is a success here; `verify` is the command that wants proof.
    if finding.report.outcome == .false { outcome.failure = .notProved(.false) }
    return outcome
  }
}
