import ArgumentParser
import CIECard
import Messages

/// Whether the State must vouch for the chip before a PIN or PUK is shown to it.
struct GenuineOptions: ParsableArguments {
  @Flag(
    help: .text("option.require-genuine"))
  var requireGenuine = false

  @Flag(
    help: .text("option.skip-genuine-check"))
  var skipGenuineCheck = false

  @OptionGroup var trust: TrustOptions

  /// How the PIN or PUK may be used.
  func access(_ tries: TryOptions, in session: Session) throws(Failure) -> HolderAccess {
    guard !requireGenuine || !skipGenuineCheck else { throw .usage(.genuineTwice) }
    return HolderAccess(
      allowsLastTry: tries.allowLastTry,
      check: skipGenuineCheck ? .skipped : requireGenuine ? .required : .expected,
      trust: skipGenuineCheck ? nil : try trust.store(in: session))
  }
}

/// On which terms a PIN or PUK is shown to a card.
struct HolderAccess: Sendable {
  /// Whether the last try may be spent.
  let allowsLastTry: Bool
  /// Whether the State must vouch for the chip.
  let check: Check
  /// The anchors that are believed.
  let trust: TrustStore?

  enum Check: Sendable {
    case skipped
    case expected
    case required
  }

  /// The check at the time of the session.
  func check(at time: UTCTime) -> GenuineCheck {
    switch check {
    case .skipped: .skipped
    case .expected: .expected(trust, at: time)
    case .required: .required(trust, at: time)
    }
  }
}

extension IdentityCard where Channel: ~Copyable {
  /// Opens the secure channel to a chip that may be shown a code, and says what is to be known before that.
  consuming func authenticated(
    before kind: CardError.CodeKind, _ access: HolderAccess, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> ProvenChannel<Channel> {
    do throws(CardError) {
      let channel = try openChannel(
        before: kind, checking: access.check(at: session.time), random: &random)
      session.tell(channel.genuineness)
      try channel.requireTries(allowingLastTry: access.allowsLastTry)
      return channel
    } catch { throw .card(error) }
  }

  /// Opens the secure channel, has a person asked for the PIN if it is not here yet, and verifies it: once, whatever
  /// comes of it.
  consuming func verified(
    with pin: inout AwaitedCode, _ access: HolderAccess, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> VerifiedCard<Channel> {
    try pin.requireTerminal(in: session)
    let card = AuthenticatedCard(
      try authenticated(before: .pin, access, random: &random, in: session))
    let code = try CodeForm.pin(pin.resolve(in: session, triesLeft: card.triesLeft))
    do throws(CardError) {
      return try card.verify(code, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }
}

extension Session {
  /// Says whether the State vouches for the chip: in JSON always, else where it could not be checked.
  fileprivate func tell(_ finding: GenuineCheck.Finding) {
    switch finding {
    case .proved: notices.add(.init("genuine", "proved"))
    case .skipped: notices.add(.init("genuine", "skipped"))
    case .couldNotCheck(let obstacle):
      notices.add(.init("genuine", "could-not-check"))
      warn(Message("warning.chip-not-checked", ["reason": obstacle.because]))
    }
  }
}
