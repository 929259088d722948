/// A CIE behind a secure channel, chip and terminal proven to each other: only this may be shown a PIN.
///
/// Each way on uses the value up, so there is one VERIFY in its life. When it fails, the channel closes.
public struct AuthenticatedCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let report: @Sendable (Step) -> Void
  /// The tries left of the code that was named to `authenticate(before:)`; `nil` when the card does not tell.
  public let triesLeft: Int?

  init(
    over channel: consuming SecureChannel<Channel>, triesLeft: Int?,
    report: @escaping @Sendable (Step) -> Void
  ) {
    self.channel = channel
    self.triesLeft = triesLeft
    self.report = report
  }

  /// Verifies the PIN.
  ///
  /// - Parameters:
  ///   - pin: used up, right or wrong.
  ///   - allowingLastTry: whether a try known to be the last one may be spent.
  /// - Throws: `CardError`: `.lastTryRefused` before anything is sent, `.wrongCode`, `.blocked`.
  public consuming func verify(
    _ pin: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) -> VerifiedCard<Channel> {
    try guardTries(of: .pin, at: .verifyPIN, allowingLastTry: allowingLastTry)
    report(.verifyPIN)
    try channel.verify(.pin, pin.digits)
    return VerifiedCard(over: channel, report: report)
  }

  /// Changes the PIN: verifies the old one, then replaces it.
  public consuming func changePIN(
    from old: consuming PIN, to new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    try guardTries(of: .pin, at: .verifyPIN, allowingLastTry: allowingLastTry)
    report(.verifyPIN)
    try channel.verify(.pin, old.digits)
    report(.changePIN)
    try channel.change(old: old.digits, new: new.digits)
  }

  /// Unblocks the PIN: verifies the PUK, then sets a new PIN with all its tries.
  public consuming func unblockPIN(
    with puk: consuming PUK, settingTo new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    try guardTries(of: .puk, at: .verifyPUK, allowingLastTry: allowingLastTry)
    report(.verifyPUK)
    try channel.verify(.puk, puk.digits)
    report(.resetPIN)
    try channel.reset(new: new.digits)
  }

  private func guardTries(
    of kind: CodeKind, at step: Step, allowingLastTry: Bool
  ) throws(CardError) {
    switch triesLeft {
    case 0: throw CardError(step, .blocked(kind))
    case 1 where !allowingLastTry: throw CardError(step, .lastTryRefused(kind))
    default: return
    }
  }
}
