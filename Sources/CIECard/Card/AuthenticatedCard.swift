/// A CIE behind a secure channel, chip and terminal proven to each other: the only type that can be
/// given a PIN.
///
/// Each operation consumes the value, so there is at most one VERIFY. If it fails, the channel
/// closes.
public struct AuthenticatedCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var proven: ProvenChannel<Channel>

  /// The remaining tries of the PIN; `nil` if the card has not reported them, now or before.
  public var triesLeft: Int? { proven.triesLeft }

  package var counter: KnownTries.Counter { proven.tries.counter }

  /// Finding of the genuineness check.
  public var genuineness: GenuineCheck.Finding { proven.genuineness }

  /// - Parameter proven: a channel in which the PIN's remaining tries were requested.
  package init(_ proven: consuming ProvenChannel<Channel>) { self.proven = proven }

  /// Reads the remaining tries of a code. If the card ends the channel over it, no further
  /// operation is possible.
  ///
  /// - Returns: `nil` if the card does not return them.
  public mutating func readTries(of kind: CardError.CodeKind) throws(CardError) -> Int? {
    try proven.readTries(of: kind)
  }

  /// Verifies the PIN.
  ///
  /// - Parameters:
  ///   - pin: consumed, right or wrong.
  ///   - allowingLastTry: true to spend a try that is known to be the last one.
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
  /// - Throws: as `verify`; `.outcomeUnknown` if the response to the change is lost.
  public consuming func changePIN(
    from old: consuming PIN, to new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    let (report, tries) = (proven.report, proven.tries)
    var channel = try proven.verify(old.digits, allowingLastTry: allowingLastTry)
    report(.changePIN)
    try tries.ofCode(.pin).spend { () throws(CardError) in
      try channel.change(old: old.digits, new: new.digits)
    }
  }
}

/// A CIE behind a secure channel, for the PUK: its remaining tries were requested first, so that
/// the last one is not spent unknowingly.
public struct CardAwaitingPUK<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var proven: ProvenChannel<Channel>

  /// The remaining tries of the PUK; `nil` if the card has not reported them, now or before.
  public var triesLeft: Int? { proven.triesLeft }

  package var counter: KnownTries.Counter { proven.tries.counter }

  /// Finding of the genuineness check.
  public var genuineness: GenuineCheck.Finding { proven.genuineness }

  /// - Parameter proven: a channel in which the PUK's remaining tries were requested.
  package init(_ proven: consuming ProvenChannel<Channel>) { self.proven = proven }

  /// Unblocks the PIN: verifies the PUK, then sets a new PIN with all its tries.
  ///
  /// - Throws: `CardError`: `.lastTryRefused` before anything is sent, `.wrongCode`, `.blocked`;
  ///   `.outcomeUnknown` if the response to the new PIN is lost.
  public consuming func unblockPIN(
    with puk: consuming PUK, settingTo new: consuming PIN, allowingLastTry: Bool = false
  ) throws(CardError) {
    var card = try verify(puk, allowingLastTry: allowingLastTry)
    try card.setPIN(to: new)
  }

  /// Verifies the PUK; the new PIN is set later.
  ///
  /// - Throws: as `unblockPIN`.
  package consuming func verify(
    _ puk: consuming PUK, allowingLastTry: Bool = false
  ) throws(CardError) -> CardAwaitingPIN<Channel> {
    let (report, tries) = (proven.report, proven.tries)
    let channel = try proven.verify(puk.digits, allowingLastTry: allowingLastTry)
    return CardAwaitingPIN(over: channel, tries.ofCode(.pin), report: report)
  }
}

/// A CIE after verification of the PUK: it accepts a new PIN.
package struct CardAwaitingPIN<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let tries: CodeTries
  private let report: @Sendable (CardError.Step) -> Void

  init(
    over channel: consuming SecureChannel<Channel>, _ tries: CodeTries,
    report: @escaping @Sendable (CardError.Step) -> Void
  ) {
    self.channel = channel
    self.tries = tries
    self.report = report
  }

  /// Sets a new PIN, with all its tries.
  ///
  /// - Throws: `CardError`; `.outcomeUnknown` if the response is lost.
  package mutating func setPIN(to new: consuming PIN) throws(CardError) {
    report(.resetPIN)
    try channel.reset(new: new.digits)
    tries.forget()
  }
}
