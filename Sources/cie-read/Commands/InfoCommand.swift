import Arguments
import CardWork

/// `cie-read info`: the kind of card, as far as it is known without a PIN.
struct InfoCommand: CardCommand {
  static let configuration = CommandConfiguration("info", "command.info")

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    try InformationJob().outcome(of: source.conversation(), in: session)
  }
}
