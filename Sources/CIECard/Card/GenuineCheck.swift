/// Check that the State vouches for a chip, before a PIN or PUK is sent to it.
///
/// Device authentication proves only that a chip holds the private key to EF.Int.Kpub, and anyone
/// can generate such a pair. The security object, signed by the State, holds the hash of that file
/// (CIE 3.0 chip specification §6.6). Both files are freely readable (annex A): a chip that
/// withholds one is refused like a false one.
public enum GenuineCheck: Sendable {
  /// No check: the PIN is sent to any chip that holds its own key.
  case skipped
  /// The PIN is sent only to a chip that the State vouches for. The case has the trust anchors, the
  /// time of judging, and a decision on what is allowed although it could not be checked: by
  /// default nothing, unless a person or a program consents.
  case required(TrustStore?, at: UTCTime, allowing: Consent = { _ in false })

  /// Decides whether a code may be sent although this obstacle prevented the check. It is called at
  /// most once per channel, and never for a chip that withholds its files or is false.
  public typealias Consent = @Sendable (AuthenticityReport.Obstacle) -> Bool

  /// The default check: against the built-in Italian anchors, now.
  public static var standard: GenuineCheck { .required(.italian, at: .now) }

  /// Result of a check that did not stop the PIN.
  public enum Finding: Sendable, Equatable {
    /// The State vouches for the key that the chip proved to hold.
    case proved
    /// Nothing is false; this could not be checked, and the code was allowed.
    case couldNotCheck(AuthenticityReport.Obstacle)
    case skipped
  }

  /// Judges the key proven in device authentication.
  ///
  /// - Parameters:
  ///   - securityObject: EF.SOD.
  ///   - deviceKey: EF.Int.Kpub, which contains that key.
  /// - Throws: `.notGenuine`. `admit` decides on what could not be checked.
  func judge(securityObject: [UInt8], deviceKey: [UInt8]) throws(CardError) -> Finding {
    guard case .required(let trust, at: let time, allowing: _) = self else { return .skipped }
    let verdict = AuthenticityReport.judgeDeviceKey(
      deviceKey, securityObject: securityObject, trust: trust, at: time)
    switch verdict {
    case .proved: return .proved
    case .false, .knownFault: throw CardError(.readSecurityObject, .notGenuine(verdict))
    case .couldNotCheck(let obstacle): return .couldNotCheck(obstacle)
    }
  }

  /// Refuses a finding that could not be checked, unless it is allowed.
  ///
  /// - Throws: `.genuinenessUnknown`.
  func admit(_ finding: Finding) throws(CardError) {
    guard case .couldNotCheck(let obstacle) = finding,
      case .required(_, at: _, allowing: let allows) = self,
      obstacle == .noMemory || !allows(obstacle)
    else { return }
    throw CardError(.readSecurityObject, .genuinenessUnknown(obstacle))
  }

  /// Converts the error for a withheld file that the check needs; any other is returned unchanged.
  func refusal(because error: CardError) -> CardError {
    guard case .required = self, [.readDeviceKey, .readSecurityObject].contains(error.step) else {
      return error
    }
    let obstacle: AuthenticityReport.Obstacle
    switch error.reason {
    case .refused(let status): obstacle = .refused(status)
    case .channelEnded(let status): obstacle = .channelEnded(status)
    case .malformed: obstacle = .notRead
    default: return error
    }
    return CardError(error.step, .genuinenessUnknown(obstacle))
  }
}
