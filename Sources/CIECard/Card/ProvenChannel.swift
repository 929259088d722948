/// A secure channel whose two ends are proven, and what was asked in it before a code may be shown.
package struct ProvenChannel<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let kind: CardError.CodeKind
  private let tries: Int?
  private let finding: GenuineCheck.Finding
  private let reporting: @Sendable (Step) -> Void

  /// The tries left of the code that comes next; `nil` when the card does not tell.
  package var triesLeft: Int? { tries }

  /// Whether the State vouches for this chip.
  package var genuineness: GenuineCheck.Finding { finding }

  /// Told of each step as it begins.
  var report: @Sendable (Step) -> Void { reporting }

  init(
    over channel: consuming SecureChannel<Channel>, before kind: CardError.CodeKind,
    triesLeft: Int?,
    finding: GenuineCheck.Finding, report: @escaping @Sendable (Step) -> Void
  ) {
    self.channel = channel
    self.kind = kind
    tries = triesLeft
    self.finding = finding
    reporting = report
  }

  /// Asks for the tries left of a code. When the card ends the channel over it, nothing else can be asked.
  ///
  /// - Returns: `nil` when the card does not tell.
  mutating func readTries(of kind: CardError.CodeKind) throws(CardError) -> Int? {
    reporting(.readTries)
    do throws(CardError) { return try channel.readTries(of: kind) } catch {
      guard case .channelEnded = error.reason else { throw error }
      return nil
    }
  }

  /// Refuses before anything is sent, and before a person is asked for anything, where no try is to be spent.
  ///
  /// - Throws: `CardError`: `.blocked`, `.lastTryRefused`.
  package borrowing func requireTries(allowingLastTry: Bool) throws(CardError) {
    let step = kind == .pin ? Step.verifyPIN : .verifyPUK
    switch tries {
    case 0: throw CardError(step, .blocked(kind))
    case 1 where !allowingLastTry: throw CardError(step, .lastTryRefused(kind))
    default: return
    }
  }

  /// The one VERIFY, of the code whose tries were asked for.
  consuming func verify(
    _ digits: borrowing Secret, allowingLastTry: Bool
  ) throws(CardError) -> SecureChannel<Channel> {
    try requireTries(allowingLastTry: allowingLastTry)
    reporting(kind == .pin ? .verifyPIN : .verifyPUK)
    try channel.verify(kind, digits)
    return channel
  }
}
