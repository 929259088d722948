import Arguments
import CardWork

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "pin", "command.pin",
    subcommands: [
      PINVerifyCommand.self, PINChangeCommand.self, PINUnblockCommand.self,
      HelpCommand<PINCommand>.self,
    ])
}

/// `cie-read pin verify`: checks the PIN. A wrong one costs a try.
struct PINVerifyCommand: CardCommand {
  static let configuration = CommandConfiguration("verify", "command.pin-verify")

  @OptionGroup var pin: CodeOptions
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    let action = PINJob.Action.verify(try pin.held(session))
    return try PINJob(action: action, access: try holder.access(in: session))
      .outcome(of: card, in: session)
  }
}

/// `cie-read pin change`: replaces the old PIN by a new one.
struct PINChangeCommand: CardCommand {
  static let configuration = CommandConfiguration("change", "command.pin-change")

  @OptionGroup var pin: CodeOptions
  @OptionGroup var newPIN = CodeOptions(.newPIN)
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    let action = PINJob.Action.change(
      from: try pin.held(session), to: try newPIN.held(session))
    return try PINJob(action: action, access: try holder.access(in: session))
      .outcome(of: card, in: session)
  }
}

/// `cie-read pin unblock`: sets a new PIN by means of the PUK.
struct PINUnblockCommand: CardCommand {
  static let configuration = CommandConfiguration("unblock", "command.pin-unblock")

  @OptionGroup var puk = CodeOptions(.puk)
  @OptionGroup var newPIN = CodeOptions(.newPIN)
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    let action = PINJob.Action.unblock(
      with: try puk.held(session), to: try newPIN.held(session))
    return try PINJob(action: action, access: try holder.access(in: session))
      .outcome(of: card, in: session)
  }
}
