import Arguments
import CIECard
import Messages
import System

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "pin", "command.pin",
      subcommands: [
        PINVerifyCommand.self, PINChangeCommand.self, PINUnblockCommand.self,
        HelpCommand<PINCommand>.self,
      ])
  }
}

/// `cie-read pin verify`: checks the PIN. A wrong one costs a try.
struct PINVerifyCommand: CardCommand {
  static var name: String? { "pin verify" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("verify", "command.pin-verify")
  }

  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    var pin = try pin.code(session)
    let access = try holder.access(in: session)
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      _ = try card.verified(with: &pin, access, random: &random, in: session)
    }
    return CommandOutcome(
      lines: [Message("pin.verified")(session.language)], members: [.init("pin", "verified")])
  }
}

/// `cie-read pin change`: replaces the old PIN by a new one.
struct PINChangeCommand: CardCommand {
  static var name: String? { "pin change" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("change", "command.pin-change")
  }

  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var newPIN: CodeOptions<NewPINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    var old = try pin.code(session)
    var new = try newPIN.code(session)
    let access = try holder.access(in: session)
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      try old.requireTerminal(in: session)
      try new.requireTerminal(in: session)
      try new.requireFitness(besides: old)
      let authenticated = AuthenticatedCard(
        try card.authenticated(
          before: .pin, asking: old.isToBeAsked, access, random: &random, in: session))
      let oldPIN = try CodeForm.pin(old.take(in: session, triesLeft: authenticated.triesLeft))
      let newPIN = try CodeForm.newPIN(new.take(in: session, twice: true))
      guard !newPIN.equals(oldPIN) else { throw .code(.unchanged) }
      do throws(CardError) {
        try authenticated.changePIN(
          from: oldPIN, to: newPIN, allowingLastTry: access.allowsLastTry)
      } catch { throw .card(error) }
    }
    return CommandOutcome(
      lines: [Message("pin.changed")(session.language)], members: [.init("pin", "changed")])
  }
}

/// `cie-read pin unblock`: sets a new PIN by means of the PUK.
struct PINUnblockCommand: CardCommand {
  static var name: String? { "pin unblock" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("unblock", "command.pin-unblock")
  }

  @OptionGroup var puk: CodeOptions<PUKCode>
  @OptionGroup var newPIN: CodeOptions<NewPINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let card = try source.conversation()
    var puk = try puk.code(session)
    var new = try newPIN.code(session)
    let access = try holder.access(in: session)
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      try puk.requireTerminal(in: session)
      try new.requireTerminal(in: session)
      try new.requireFitness()
      let authenticated = CardAwaitingPUK(
        try card.authenticated(
          before: .puk, asking: puk.isToBeAsked, access, random: &random, in: session))
      let code = try CodeForm.puk(puk.take(in: session, triesLeft: authenticated.triesLeft))
      let newPIN = try CodeForm.newPIN(new.take(in: session, twice: true))
      do throws(CardError) {
        try authenticated.unblockPIN(
          with: code, settingTo: newPIN, allowingLastTry: access.allowsLastTry)
      } catch { throw .card(error) }
    }
    return CommandOutcome(
      lines: [Message("pin.unblocked")(session.language)], members: [.init("pin", "unblocked")])
  }
}
