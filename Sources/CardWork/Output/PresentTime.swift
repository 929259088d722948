package import CIECard
internal import Messages
package import Primitives

/// The present time of a run's verdicts, and its source.
package enum PresentTime: Sendable {
  /// The machine's clock, which may be wrong.
  case clock(UTCTime)
  /// The time of a recording, at which its certificates are judged.
  case recording(UTCTime)

  package var time: UTCTime {
    switch self {
    case .clock(let time), .recording(let time): time
    }
  }

  /// A time that the present cannot precede: the issue of the newest certificate in the program; `nil` for a recording,
  /// which may be older than the program.
  package var earliest: UTCTime? {
    switch self {
    case .clock: TrustStore.newestBuiltIn
    case .recording: nil
    }
  }

  var moment: JudgementTime { JudgementTime(time, notBefore: earliest) }

  /// The error of a clock that cannot be right; `nil` for a plausible time.
  ///
  /// - Parameter issued: further times that are certainly past, such as the issue of a card that is signed.
  package func problem(issued: [UTCTime] = []) -> Diagnosis? {
    moment.isBefore(issued).map {
      Diagnosis(.couldNotCheck, "clock-early", ["time": LocalMoment(time), "issued": $0])
    }
  }

  /// The error of the clock, if it is all that keeps one of these reports from what files can prove.
  package func problem(of reports: [AuthenticityReport]) -> Diagnosis? {
    reports.lazy.compactMap(\.obstructingClock).first.flatMap { problem(issued: [$0]) }
  }
}

extension AuthenticityReport {
  /// The issue of a certificate that the clock precedes, if nothing else is missing that files can prove.
  fileprivate var obstructingClock: UTCTime? {
    guard !isPassivelyProved, isPassivelyProved(besides: [.signerValidity]),
      case .couldNotCheck(.clockEarly(let issued)) = self[.signerValidity]
    else { return nil }
    return issued
  }
}
