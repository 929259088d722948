/// A CIE behind a secure channel, chip and terminal proven to each other: only this may be shown a PIN.
///
/// Each way on uses the value up, so there is one VERIFY in its life. When it fails, the channel closes.
public struct AuthenticatedCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let report: @Sendable (Step) -> Void
  /// The tries left of the code that was named to `authenticate(before:)`; `nil` when the card does not tell.
  public let triesLeft: Int?
  private let finding: GenuineCheck.Finding

  /// Whether the State vouches for this chip.
  public var genuineness: GenuineCheck.Finding { finding }

  init(
    over channel: consuming SecureChannel<Channel>, triesLeft: Int?,
    finding: GenuineCheck.Finding, report: @escaping @Sendable (Step) -> Void
  ) {
    self.channel = channel
    self.triesLeft = triesLeft
    self.finding = finding
    self.report = report
  }

  /// Asks for the tries left of a code. When the card ends the channel over it, nothing else can be asked.
  ///
  /// - Returns: `nil` when the card does not tell.
  public mutating func readTries(of kind: CodeKind) throws(CardError) -> Int? {
    report(.readTries)
    do throws(CardError) { return try channel.readTries(of: kind) } catch {
      guard case .channelEnded = error.reason else { throw error }
      return nil
    }
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
    try requireTries(of: .pin, allowingLastTry: allowingLastTry)
    report(.verifyPIN)
    try channel.verify(.pin, pin.digits)
    return VerifiedCard(over: channel, report: report)
  }

  /// Changes the PIN: verifies the old one, then replaces it.
  public consuming func changePIN(
    from old: consuming PIN, to new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    try requireTries(of: .pin, allowingLastTry: allowingLastTry)
    report(.verifyPIN)
    try channel.verify(.pin, old.digits)
    report(.changePIN)
    try channel.change(old: old.digits, new: new.digits)
  }

  /// Unblocks the PIN: verifies the PUK, then sets a new PIN with all its tries.
  public consuming func unblockPIN(
    with puk: consuming PUK, settingTo new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    try requireTries(of: .puk, allowingLastTry: allowingLastTry)
    report(.verifyPUK)
    try channel.verify(.puk, puk.digits)
    report(.resetPIN)
    try channel.reset(new: new.digits)
  }

  /// Refuses before anything is sent, and before a person is asked for anything, where no try is to be spent.
  ///
  /// - Throws: `CardError`: `.blocked`, `.lastTryRefused`.
  public borrowing func requireTries(
    of kind: CodeKind, allowingLastTry: Bool
  ) throws(CardError) {
    let step = kind == .pin ? Step.verifyPIN : .verifyPUK
    switch triesLeft {
    case 0: throw CardError(step, .blocked(kind))
    case 1 where !allowingLastTry: throw CardError(step, .lastTryRefused(kind))
    default: return
    }
  }
}
