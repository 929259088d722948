import Arguments
import CardWork

/// `cie-read nis`: the services number, with its proofs.
struct NISCommand: CardCommand {
  static let configuration = CommandConfiguration("nis", "command.nis")

  @Flag(help: .text("option.nis.require-proved")) var requireProved = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    return try ServicesNumberJob(
      trust: trust.store(for: card, in: session), requiresProof: requireProved
    ).outcome(of: card, in: session)
  }
}
