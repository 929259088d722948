package import CIECard
import Primitives

/// The only place at which the holder's PIN or PUK goes to a card: one VERIFY for each call, whatever the result.
extension SessionCard {
  /// Opens the secure channel, has a person asked for the PIN if it is not here yet, and verifies it.
  package consuming func verified(
    with pin: inout AwaitedCode, _ access: HolderAccess, random: inout SessionRandom,
    in context: RunContext
  ) throws(Failure) -> VerifiedCard<SessionChannel> {
    try pin.requireTerminal(in: context)
    let card = AuthenticatedCard(
      try opened(before: .pin, asking: pin.isToBeAsked, access, random: &random, in: context))
    let code = try CodeForm.pin(pin.take(in: context, triesLeft: card.triesLeft))
    do throws(CardError) {
      return try card.verify(code, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }

  /// Replaces the old PIN by a new one.
  package consuming func changePIN(
    from old: inout AwaitedCode, to new: inout AwaitedCode, _ access: HolderAccess,
    random: inout SessionRandom, in context: RunContext
  ) throws(Failure) {
    try old.requireTerminal(in: context)
    try new.requireTerminal(in: context)
    try new.requireFitness(besides: old)
    let card = AuthenticatedCard(
      try opened(before: .pin, asking: old.isToBeAsked, access, random: &random, in: context))
    let oldPIN = try CodeForm.pin(old.take(in: context, triesLeft: card.triesLeft))
    let newPIN = try CodeForm.newPIN(
      new.take(in: context, twice: true) { (code) throws(Failure) in
        let pin = try CodeForm.newPIN(code.copied())
        guard !pin.equals(oldPIN) else { throw .code(.unchanged) }
      })
    guard !newPIN.equals(oldPIN) else { throw .code(.unchanged) }
    do throws(CardError) {
      try card.changePIN(from: oldPIN, to: newPIN, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }

  /// Sets a new PIN by means of the PUK.
  package consuming func unblockPIN(
    with puk: inout AwaitedCode, settingTo new: inout AwaitedCode, _ access: HolderAccess,
    random: inout SessionRandom, in context: RunContext
  ) throws(Failure) {
    try puk.requireTerminal(in: context)
    try new.requireTerminal(in: context)
    try new.requireFitness()
    let card = CardAwaitingPUK(
      try opened(before: .puk, asking: puk.isToBeAsked, access, random: &random, in: context))
    let code = try CodeForm.puk(puk.take(in: context, triesLeft: card.triesLeft))
    let newPIN = try CodeForm.newPIN(
      new.take(in: context, twice: true) { (code) throws(Failure) in
        _ = try CodeForm.newPIN(code.copied())
      })
    do throws(CardError) {
      try card.unblockPIN(with: code, settingTo: newPIN, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }

  /// Opens the secure channel to a chip that may get a code, and reports the facts that matter before. The last try is
  /// guarded here, before a person is asked, and once more where the code is sent.
  ///
  /// - Parameter asking: `true` if a person will be asked for the code.
  private consuming func opened(
    before kind: CardError.CodeKind, asking: Bool, _ access: HolderAccess,
    random: inout SessionRandom, in context: RunContext
  ) throws(Failure) -> ProvenChannel<SessionChannel> {
    do throws(CardError) {
      let channel = try openChannel(
        before: kind, checking: access.check(asking: asking, in: context),
        remembering: context.tries, random: &random)
      context.tell(channel.genuineness)
      try channel.requireTries(allowingLastTry: access.allowsLastTry)
      return channel
    } catch {
      // A signal during the question, or the end of the time limit.
      if case .genuinenessUnknown = error.reason, context.interruption.isOver {
        throw .interrupted
      }
      throw .card(error)
    }
  }
}

extension RunContext {
  /// Adds the result of the check on the chip to the JSON.
  fileprivate func tell(_ finding: GenuineCheck.Finding) {
    let word =
      switch finding {
      case .proved: "proved"
      case .skipped: "skipped"
      case .couldNotCheck: "could-not-check"
      }
    // It replaces that of a run before it was restarted.
    notices.add(.init("genuine", word)) { $0.name == "genuine" }
  }
}
