/// A CIE behind a secure channel, chip and terminal proven to each other: only this may be shown a PIN.
///
/// Each way on uses the value up, so there is one VERIFY in its life. When it fails, the channel closes.
public struct AuthenticatedCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var proven: ProvenChannel<Channel>

  /// The tries left of the PIN; `nil` when the card does not tell.
  public var triesLeft: Int? { proven.triesLeft }

  /// Whether the State vouches for this chip.
  public var genuineness: GenuineCheck.Finding { proven.genuineness }

  /// - Parameter proven: a channel in which the tries of the PIN were asked for.
  package init(_ proven: consuming ProvenChannel<Channel>) { self.proven = proven }

  /// Asks for the tries left of a code. When the card ends the channel over it, nothing else can be asked.
  ///
  /// - Returns: `nil` when the card does not tell.
  public mutating func readTries(of kind: CardError.CodeKind) throws(CardError) -> Int? {
    try proven.readTries(of: kind)
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
    let report = proven.report
    let channel = try proven.verify(pin.digits, allowingLastTry: allowingLastTry)
    return VerifiedCard(over: channel, report: report)
  }

  /// Changes the PIN: verifies the old one, then replaces it.
  ///
  /// - Throws: as `verify`; `.outcomeUnknown` when the answer to the change is lost.
  public consuming func changePIN(
    from old: consuming PIN, to new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    let report = proven.report
    var channel = try proven.verify(old.digits, allowingLastTry: allowingLastTry)
    report(.changePIN)
    try channel.change(old: old.digits, new: new.digits)
  }
}

/// The same, for the PUK: it was asked how many tries that one has left, so that its last is not spent unawares.
public struct CardAwaitingPUK<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var proven: ProvenChannel<Channel>

  /// The tries left of the PUK; `nil` when the card does not tell.
  public var triesLeft: Int? { proven.triesLeft }

  /// Whether the State vouches for this chip.
  public var genuineness: GenuineCheck.Finding { proven.genuineness }

  /// - Parameter proven: a channel in which the tries of the PUK were asked for.
  package init(_ proven: consuming ProvenChannel<Channel>) { self.proven = proven }

  /// Unblocks the PIN: verifies the PUK, then sets a new PIN with all its tries.
  ///
  /// - Throws: `CardError`: `.lastTryRefused` before anything is sent, `.wrongCode`, `.blocked`; `.outcomeUnknown` when
  ///   the answer to the new PIN is lost.
  public consuming func unblockPIN(
    with puk: consuming PUK, settingTo new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    try verify(puk, allowingLastTry: allowingLastTry).setPIN(to: new)
  }

  /// Verifies the PUK, where the new PIN comes later.
  ///
  /// - Throws: as `unblockPIN`.
  package consuming func verify(
    _ puk: consuming PUK, allowingLastTry: Bool = false
  ) throws(CardError) -> CardAwaitingPIN<Channel> {
    let report = proven.report
    let channel = try proven.verify(puk.digits, allowingLastTry: allowingLastTry)
    return CardAwaitingPIN(over: channel, report: report)
  }
}

/// A CIE whose holder has shown the PUK: it takes a new PIN.
package struct CardAwaitingPIN<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let report: @Sendable (CardError.Step) -> Void

  init(
    over channel: consuming SecureChannel<Channel>,
    report: @escaping @Sendable (CardError.Step) -> Void
  ) {
    self.channel = channel
    self.report = report
  }

  /// Sets a new PIN, with all its tries.
  ///
  /// - Throws: `CardError`; `.outcomeUnknown` when the answer is lost.
  package consuming func setPIN(to new: consuming PIN) throws(CardError) {
    report(.resetPIN)
    try channel.reset(new: new.digits)
  }
}
