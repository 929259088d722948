import ArgumentParser
import CIECard

/// `cie-read verify`: whether the card is genuine, point by point.
struct VerifyCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "verify", it: "Verifica l'autenticità della carta, punto per punto; senza PIN.",
      en: "Verify the authenticity of the card, point by point; without a PIN.")
  }

  @Option(
    help: .text(
      it: "Da 8 a 102 byte in esadecimale che il chip deve firmare (altrimenti casuali).",
      en: "8 to 102 bytes in hexadecimal that the chip is to sign (else random ones).",
      value: "hex"))
  var challenge: String?
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> Outcome {
    var bytes: [UInt8]?
    if let challenge {
      bytes = [UInt8](hexadecimal: challenge)
      guard let count = bytes?.count, (8...102).contains(count) else {
        throw .usage(.challenge)
      }
    }
    let job = EvidenceJob(
      scope: .everythingFree, challenge: bytes, trust: try trust.store(in: session))
    let finding = try source.source().perform(job, record: source.record, in: session)
    var outcome = Outcome()
    outcome.add(
      Bilingual(it: "NIS", en: "NIS"), finding.number.description, in: session.language,
      .init("servicesNumber", finding.number.description))
    outcome.add(finding.report, session.language)
    outcome.lines.append(finding.report.cloning.text(session.language))
    outcome.members += [
      .init("challenge", finding.evidence.challenge?.hexadecimal),
      .init("response", finding.evidence.response?.hexadecimal),
    ]
    switch finding.report.outcome {
    case .proved: break
    case .false, .couldNotCheck: outcome.failure = .notProved(finding.report.outcome)
    }
    return outcome
  }
}
