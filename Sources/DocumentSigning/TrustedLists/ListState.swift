public import Primitives

/// The state of a trusted list when its services were read.
public struct ListState: Sendable, Equatable {
  /// The state or body whose list it is: two capital letters (ETSI TS 119 612 §5.3.10).
  public let territory: String
  /// TSLSequenceNumber (§5.3.2).
  public let sequenceNumber: Int
  /// ListIssueDateTime (§5.3.14).
  public let issued: UTCTime
  /// Time by which a newer list is issued (§5.3.15); nil for a closed list.
  public let nextUpdate: UTCTime?
  /// Time at which the list was fetched, or last found to be the newest.
  public let fetched: UTCTime

  /// A state of a list.
  public init(
    territory: String, sequenceNumber: Int, issued: UTCTime, nextUpdate: UTCTime?, fetched: UTCTime
  ) {
    (self.territory, self.sequenceNumber) = (territory, sequenceNumber)
    (self.issued, self.nextUpdate, self.fetched) = (issued, nextUpdate, fetched)
  }

  /// True if a newer list must have been issued by then.
  public func isOld(at time: UTCTime) -> Bool { nextUpdate.map { $0 < time } ?? true }
}
