import CIECard
import Messages
import System

/// The terms on which a PIN or PUK is sent to a card.
struct HolderAccess: Sendable {
  /// True if the last try may be spent.
  let allowsLastTry: Bool
  let vouching: Vouching

  /// The requirement that the State has signed the chip.
  enum Vouching: Sendable {
    /// No check.
    case skipped
    /// Only such a chip gets the code; with the anchors, a flag that accepts a software card's own authority, and one
    /// that lets a person decide if the check was impossible.
    case required(TrustStore?, believesSoftwareCards: Bool, asksPerson: Bool)
  }

  /// The check of a run's card.
  ///
  /// - Parameter asking: `true` if a person is asked for the code on a terminal, and may be asked this before.
  func check(asking: Bool, in session: Session) -> GenuineCheck {
    switch vouching {
    case .skipped: return .skipped
    case .required(let anchors, let believesSoftwareCards, let asksPerson):
      var trust = anchors
      if believesSoftwareCards, case .software(let own) = session.stage {
        trust = trust?.merged(with: own) ?? own
      }
      return .required(trust, at: session.time) { obstacle in
        session.allows(obstacle, asking: asking && asksPerson)
      }
    }
  }
}

extension TrustOptions {
  /// The check by these anchors; `--trust-only` leaves out that of a software card, too.
  func vouching(asking: Bool, in session: Session) throws(Failure) -> HolderAccess.Vouching {
    .required(
      try store(in: session), believesSoftwareCards: trustOnly.isEmpty, asksPerson: asking)
  }
}

extension SessionCard {
  /// Opens the secure channel to a chip that may get a code, and reports the facts that matter before.
  ///
  /// - Parameter asking: `true` if a person will be asked for the code.
  consuming func authenticated(
    before kind: CardError.CodeKind, asking: Bool, _ access: HolderAccess,
    random: inout SessionRandom, in session: Session
  ) throws(Failure) -> ProvenChannel<SessionChannel> {
    do throws(CardError) {
      let channel = try openChannel(
        before: kind, checking: access.check(asking: asking, in: session),
        remembering: session.tries, random: &random)
      session.tell(channel.genuineness)
      try channel.requireTries(allowingLastTry: access.allowsLastTry)
      return channel
    } catch {
      // A signal during the question, or the end of the time limit.
      if case .genuinenessUnknown = error.reason, session.interruption.isOver {
        throw .interrupted
      }
      throw .card(error)
    }
  }

  /// Opens the secure channel, has a person asked for the PIN if it is not here yet, and verifies it: once, whatever
  /// the result.
  consuming func verified(
    with pin: inout AwaitedCode, _ access: HolderAccess, random: inout SessionRandom,
    in session: Session
  ) throws(Failure) -> VerifiedCard<SessionChannel> {
    try pin.requireTerminal(in: session)
    let card = AuthenticatedCard(
      try authenticated(
        before: .pin, asking: pin.isToBeAsked, access, random: &random, in: session))
    let code = try CodeForm.pin(pin.take(in: session, triesLeft: card.triesLeft))
    do throws(CardError) {
      return try card.verify(code, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }
}

extension Session {
  /// Decides whether a code may go to a chip although this obstacle prevented the check: a person on the terminal
  /// decides, once for a run. A recording has no chip that could keep a code.
  fileprivate func allows(_ obstacle: AuthenticityReport.Obstacle, asking: Bool) -> Bool {
    if case .recording = stage {
      warn(Message("warning.chip-not-checked", ["reason": obstacle.because]))
      return true
    }
    if consents.holds(obstacle) { return true }
    guard asking, !usesPinentry, let terminal = QuestionTerminal(self) else { return false }
    progress.clear()
    let reason = Message("chip-not-checked", ["reason": obstacle.because])
    guard (try? terminal.agrees(to: Message("chip-question"), [reason(language)])) == true else {
      return false
    }
    consents.add(obstacle)
    return true
  }

  /// Adds the result of the check on the chip to the JSON.
  fileprivate func tell(_ finding: GenuineCheck.Finding) {
    let word =
      switch finding {
      case .proved: "proved"
      case .skipped: "skipped"
      case .couldNotCheck: "could-not-check"
      }
    notices.add(.init("genuine", word))
  }
}
