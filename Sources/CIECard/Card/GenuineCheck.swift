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
