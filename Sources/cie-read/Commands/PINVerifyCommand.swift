import ArgumentParser
import CIECard
import Messages

/// `cie-read pin verify`: whether the PIN is right. A wrong one costs a try.
struct PINVerifyCommand: CardCommand {
  static var name: String? { "pin verify" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("verify", "command.pin-verify")
  }

  @OptionGroup var pin: PINOptions
  @OptionGroup var tries: TryOptions
  @OptionGroup var genuine: GenuineOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.source()
    let job = Job(pin: try pin.code(session), access: try genuine.access(tries, in: session))
    try card.perform(job, as: source.conversation, in: session)
    return CommandOutcome(
      lines: [Message("pin.verified")(session.language)],
      members: [.init("pin", "verified")])
  }

  private struct Job: CardJob, ~Copyable {
    var pin: AwaitedCode
    let access: HolderAccess

    mutating func run<Channel: CardChannel & ~Copyable>(
      on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
      in session: Session
    ) throws(Failure) {
      let access = access
      _ = try card.verified(with: &pin, access, random: &random, in: session)
    }
  }
}
