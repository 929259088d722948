/// A secure channel with both ends proven, and the results of the requests made in it before a code
/// may be sent.
package struct ProvenChannel<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let counted: CodeTries
  private let finding: GenuineCheck.Finding
  private let reporting: @Sendable (CardError.Step) -> Void

  /// The remaining tries of the next code; `nil` if the card has not reported them, now or before.
  var triesLeft: Int? { counted.left }

  var tries: CodeTries { counted }

  package var genuineness: GenuineCheck.Finding { finding }

  /// Called as each step begins.
  var report: @Sendable (CardError.Step) -> Void { reporting }

  init(
    over channel: consuming SecureChannel<Channel>, before tries: CodeTries,
    finding: GenuineCheck.Finding, report: @escaping @Sendable (CardError.Step) -> Void
  ) {
    self.channel = channel
    counted = tries
    self.finding = finding
    reporting = report
  }

  /// Reads the remaining tries of a code. If the card ends the channel over it, no further
  /// operation is possible.
  ///
  /// - Returns: `nil` if the card does not return them.
  mutating func readTries(of kind: CardError.CodeKind) throws(CardError) -> Int? {
    reporting(.readTries)
    do throws(CardError) {
      return counted.ofCode(kind, told: try channel.readTries(of: kind)).left
    } catch {
      guard case .channelEnded = error.reason else { throw error }
      return counted.ofCode(kind).left
    }
  }

  /// Throws if no try may be spent, before a command is sent and before a person is asked for the
  /// code.
  ///
  /// - Throws: `CardError`: `.blocked`, `.lastTryRefused`.
  package borrowing func requireTries(allowingLastTry: Bool) throws(CardError) {
    try counted.require(allowingLastTry: allowingLastTry)
  }

  /// The only VERIFY, for the code whose tries were read.
  consuming func verify(
    _ digits: borrowing Secret, allowingLastTry: Bool
  ) throws(CardError) -> SecureChannel<Channel> {
    try show(digits, allowingLastTry: allowingLastTry)
    return channel
  }

  private mutating func show(
    _ digits: borrowing Secret, allowingLastTry: Bool
  ) throws(CardError) {
    let counted = counted
    try counted.require(allowingLastTry: allowingLastTry)
    let kind = counted.counter.kind
    reporting(kind == .pin ? .verifyPIN : .verifyPUK)
    try counted.spend { () throws(CardError) in try channel.verify(kind, digits) }
  }
}
