import ArgumentParser
import CIECard
import Messages

/// `cie-read pin change`: the old PIN for a new one.
struct PINChangeCommand: CardCommand {
  static var name: String? { "pin change" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("change", "command.pin-change")
  }

  @OptionGroup var pin: PINOptions
  @OptionGroup var newPIN: NewPINOptions
  @OptionGroup var tries: TryOptions
  @OptionGroup var genuine: GenuineOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.source()
    let job = Job(
      old: try pin.code(session), new: try newPIN.code(session),
      access: try genuine.access(tries, in: session))
    try card.perform(job, as: source.conversation, in: session)
    return CommandOutcome(
      lines: [Message("pin.changed")(session.language)],
      members: [.init("pin", "changed")])
  }

  private struct Job: CardJob, ~Copyable {
    var old: AwaitedCode
    var new: AwaitedCode
    let access: HolderAccess

    mutating func run<Channel: CardChannel & ~Copyable>(
      on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
      in session: Session
    ) throws(Failure) {
      let access = access
      try old.requireTerminal(in: session)
      try new.requireTerminal(in: session)
      try new.requireFitness(besides: old)
      let authenticated = AuthenticatedCard(
        try card.authenticated(before: .pin, access, random: &random, in: session))
      let oldPIN = try CodeForm.pin(
        old.resolve(in: session, triesLeft: authenticated.triesLeft))
      let newPIN = try CodeForm.newPIN(new.resolve(in: session, twice: true))
      guard !newPIN.equals(oldPIN) else { throw .code(.unchanged) }
      do throws(CardError) {
        try authenticated.changePIN(
          from: oldPIN, to: newPIN, allowingLastTry: access.allowsLastTry)
      } catch { throw .card(error) }
    }
  }
}
