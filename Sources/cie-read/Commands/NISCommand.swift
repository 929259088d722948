import Arguments
import CIECard
import System

/// `cie-read nis`: the services number, with its proofs.
struct NISCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("nis", "command.nis")
  }

  @Flag(help: .text("option.nis.require-proved")) var requireProved = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try Self.outcome(
      of: source.conversation(), trust: trust.store(in: session), requireProved: requireProved,
      in: session)
  }

  /// The result for one card.
  static func outcome(
    of card: Conversation, trust: TrustStore?, requireProved: Bool, in session: Session
  ) throws(Failure) -> CommandOutcome {
    let finding = try card.perform(in: session) {
      (card, random, session) throws(Failure) in
      var card = card
      return try card.evidence(.servicesNumber, trust: trust, random: &random, at: session.time)
    }
    var outcome = CommandOutcome(lines: [finding.number.description])
    outcome.members = [.init("servicesNumber", finding.number.description)]
    // These files are not read here because they do not prove the number.
    outcome.add(
      finding.report, leavingOut: [.hash(.deviceKey), .hash(.dhParameters)], session.language)
    // A number that was read and is not false is a success, unless proof is required.
    switch finding.report.outcome {
    case .proved: break
    case .false: outcome.failure = .notProved(.false)
    case .knownFault, .couldNotCheck:
      if requireProved { outcome.failure = .notProved(finding.report.outcome) }
    }
    return outcome
  }
}
