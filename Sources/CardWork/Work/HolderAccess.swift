package import CIECard
import Messages

/// The terms on which a PIN or PUK is sent to a card.
package struct HolderAccess: Sendable {
  /// True if the last try may be spent.
  let allowsLastTry: Bool
  package let vouching: Vouching

  package init(allowsLastTry: Bool, vouching: Vouching) {
    self.allowsLastTry = allowsLastTry
    self.vouching = vouching
  }

  /// The same terms, with a person's decision about the last try.
  package func allowing(lastTry isAllowed: Bool) -> HolderAccess {
    HolderAccess(allowsLastTry: allowsLastTry || isAllowed, vouching: vouching)
  }

  /// The requirement that the State has signed the chip.
  package enum Vouching: Sendable {
    case skipped
    /// Only such a chip gets the code; with the anchors, a flag that accepts a software card's own authority, and one
    /// that lets a person decide if the check was impossible.
    case required(TrustStore?, believesSoftwareCards: Bool, asksPerson: Bool)
  }

  /// The check of a run's card.
  ///
  /// - Parameter asking: `true` if a person is asked for the code on a terminal, and may be asked this before.
  func check(asking: Bool, in context: RunContext) -> GenuineCheck {
    switch vouching {
    case .skipped: return .skipped
    case .required(let anchors, let believesSoftwareCards, let asksPerson):
      var trust = anchors
      if believesSoftwareCards, case .software(let own) = context.stage {
        trust = trust?.merged(with: own) ?? own
      }
      return .required(trust, at: context.time) { obstacle in
        context.allows(obstacle, asking: asking && asksPerson)
      }
    }
  }
}

extension RunContext {
  /// Decides whether a code may go to a chip although this obstacle prevented the check: a person on the terminal
  /// decides, once for a run. A recording has no chip that could keep a code.
  fileprivate func allows(_ obstacle: AuthenticityReport.Obstacle, asking: Bool) -> Bool {
    if case .recording = stage {
      warn(Message("warning.chip-not-checked", ["reason": obstacle.because]))
      return true
    }
    if consents.elements.contains(obstacle) { return true }
    guard asking, !usesPinentry, let terminal = QuestionTerminal(self) else { return false }
    progress.clear()
    let reason = Message("chip-not-checked", ["reason": obstacle.because])
    guard (try? terminal.agrees(to: Message("chip-question"), [reason(language)])) == true else {
      return false
    }
    consents.add(obstacle)
    return true
  }
}

extension SessionCard {
  /// The verdict on which it depends whether a PIN or PUK is sent to the chip; `nil` without a check.
  package mutating func judgeForPIN(
    by vouching: HolderAccess.Vouching, in context: RunContext, _ random: inout SessionRandom
  ) throws(CardError) -> AuthenticityReport.Verdict? {
    let access = HolderAccess(allowsLastTry: false, vouching: vouching)
    guard
      case .required(let trust, at: let time, allowing: _) = access.check(
        asking: false, in: context)
    else { return nil }
    let evidence = try gatherEvidence(.everythingFree, random: &random)
    guard let key = evidence.files[.deviceKey] else { return .couldNotCheck(.notRead) }
    return AuthenticityReport.judgeDeviceKey(
      key, securityObject: evidence.securityObject, trust: trust, at: time)
  }
}
