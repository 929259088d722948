package import Primitives

/// Time of judging, which is wrong if a clock says it and it cannot be the present.
package struct JudgementTime {
  package let time: UTCTime
  /// Time that the present cannot precede; `nil` for a time that is not a clock's.
  private let earliest: UTCTime?

  package init(_ time: UTCTime, notBefore earliest: UTCTime?) {
    self.time = time
    self.earliest = earliest
  }

  /// - Returns: the latest time that is certainly past, if the clock is before it: of what the program knows, and of the
  ///   issue of these certificates. They exist, so the present is after it.
  package func isBefore(_ path: [Certificate]) -> UTCTime? {
    guard let earliest else { return nil }
    let issued = path.reduce(earliest) { max($0, $1.notBefore) }
    return time < issued ? issued : nil
  }
}

extension TrustStore {
  /// Issue of the newest certificate that is built in: a clock that is before it is wrong. Stated here, because decoding
  /// all of them takes longer than reading a card; a test compares.
  package static let newestBuiltIn: UTCTime = 1_727_759_875
}
