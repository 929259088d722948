internal import Glibc

/// Whether a chip must be one that the State vouches for before a PIN or PUK is shown to it.
///
/// Device authentication proves that a chip holds the private key to EF.Int.Kpub, and no more: anybody can make such a
/// pair. The security object holds the hash of that file, signed by the State (CIE 3.0 chip specification §6.6).
public enum GenuineCheck: Sendable {
  /// The State's word is not asked for; the PIN goes to any chip that holds its own key.
  case skipped
  /// What is false stops the PIN; what could not be checked does not. With the anchors to believe, and the time of
  /// judging.
  case expected(TrustStore?, at: UTCTime)
  /// Only a chip that the State vouches for is shown the PIN.
  case required(TrustStore?, at: UTCTime)

  /// What is checked where nothing else is said: against the built-in Italian anchors, now.
  public static var standard: GenuineCheck { .expected(.italian, at: .now) }

  /// What came of it, where it did not stop the PIN.
  public enum Finding: Sendable, Equatable {
    /// The State vouches for the key that the chip proved to hold.
    case proved
    /// Nothing is false; this could not be checked.
    case couldNotCheck(AuthenticityReport.Obstacle)
    /// It was not asked for.
    case skipped
  }

  /// Judges the key that proved itself in device authentication.
  ///
  /// - Parameters:
  ///   - securityObject: EF.SOD, as far as the card gave it.
  ///   - deviceKey: EF.Int.Kpub, from which that key was taken.
  /// - Throws: `.notGenuine`; `.genuinenessUnknown` where it is required.
  func judge(
    securityObject: [UInt8]?, deviceKey: [UInt8]
  ) throws(CardError) -> Finding {
    let (trust, time, isRequired): (TrustStore?, UTCTime, Bool)
    switch self {
    case .skipped: return .skipped
    case .expected(let store, let moment): (trust, time, isRequired) = (store, moment, false)
    case .required(let store, let moment): (trust, time, isRequired) = (store, moment, true)
    }
    let verdict = AuthenticityReport.judgeDeviceKey(
      deviceKey, securityObject: securityObject, trust: trust, at: time)
    switch verdict {
    case .proved: return .proved
    case .false, .knownFault: throw CardError(.readSecurityObject, .notGenuine(verdict))
    case .couldNotCheck(let obstacle):
      guard !isRequired else {
        throw CardError(.readSecurityObject, .genuinenessUnknown(obstacle))
      }
      return .couldNotCheck(obstacle)
    }
  }
}

/// A secure channel whose two ends are proven, and what was asked in it before a code may be shown.
package struct ProvenChannel<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let kind: CardError.CodeKind
  private let tries: Int?
  private let finding: GenuineCheck.Finding
  private let reporting: @Sendable (CardError.Step) -> Void

  /// The tries left of the code that comes next; `nil` when the card does not tell.
  package var triesLeft: Int? { tries }

  /// Whether the State vouches for this chip.
  package var genuineness: GenuineCheck.Finding { finding }

  /// Told of each step as it begins.
  var report: @Sendable (CardError.Step) -> Void { reporting }

  init(
    over channel: consuming SecureChannel<Channel>, before kind: CardError.CodeKind,
    triesLeft: Int?,
    finding: GenuineCheck.Finding, report: @escaping @Sendable (CardError.Step) -> Void
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
    let step = kind == .pin ? CardError.Step.verifyPIN : .verifyPUK
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
