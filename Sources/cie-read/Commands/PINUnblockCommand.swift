import ArgumentParser
import CIECard
import Messages

/// `cie-read pin unblock`: a new PIN by means of the PUK.
struct PINUnblockCommand: CardCommand {
  static var name: String? { "pin unblock" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("unblock", "command.pin-unblock")
  }

  @OptionGroup var puk: PUKOptions
  @OptionGroup var newPIN: NewPINOptions
  @OptionGroup var tries: TryOptions
  @OptionGroup var genuine: GenuineOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.source()
    let job = Job(
      puk: try puk.code(session), new: try newPIN.code(session),
      access: try genuine.access(tries, in: session))
    try card.perform(job, as: source.conversation, in: session)
    return CommandOutcome(
      lines: [
        Message("pin.unblocked")(session.language)
      ],
      members: [.init("pin", "unblocked")])
  }

  private struct Job: CardJob, ~Copyable {
    var puk: AwaitedCode
    var new: AwaitedCode
    let access: HolderAccess

    mutating func run<Channel: CardChannel & ~Copyable>(
      on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
      in session: Session
    ) throws(Failure) {
      let access = access
      try puk.requireTerminal(in: session)
      try new.requireTerminal(in: session)
      try new.requireFitness()
      let authenticated = CardAwaitingPUK(
        try card.authenticated(before: .puk, access, random: &random, in: session))
      let code = try CodeForm.puk(
        puk.resolve(in: session, triesLeft: authenticated.triesLeft))
      let newPIN = try CodeForm.newPIN(new.resolve(in: session, twice: true))
      do throws(CardError) {
        try authenticated.unblockPIN(
          with: code, settingTo: newPIN, allowingLastTry: access.allowsLastTry)
      } catch { throw .card(error) }
    }
  }
}
