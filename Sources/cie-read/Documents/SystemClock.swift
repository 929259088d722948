import CIECard
import Messages
import Primitives

/// The plausibility of the system's time, by certificates: the present is not before the issue of any of them.
enum SystemClock {
  /// The error of a clock that is before the newest of these certificates; nil for a plausible time.
  static func problem(
    at now: UTCTime, _ anchors: TrustStore? = .italian
  ) -> Diagnosis? {
    guard let latest = anchors?.certificates.map(\.notBefore).max(), now < latest else {
      return nil
    }
    return Diagnosis(.couldNotCheck, "clock-early", ["time": LocalMoment(now), "issued": latest])
  }
}
