public import Primitives

/// A list that is wanted over https.
public struct TrustedListRequest: Sendable, Equatable {
  /// Its address.
  public let url: String
  /// The key of the document among the stored ones, two capital letters; for a pivot of the list of lists, `EU-` and its number.
  public let key: String

  /// The territory of the list; `EU` is the list of lists.
  public var territory: String { String(key.prefix(2)) }
}

/// Trusted lists after an update, or as they are stored.
public struct TrustedListOutcome: Sendable {
  /// The list of lists first, then the states' by their letters.
  public internal(set) var lists: [State] = []
  /// The documents to store, by their keys: those of before, and in the places of some of them new ones.
  public internal(set) var documents: [String: [UInt8]] = [:]
  /// The services of all lists that are verified.
  var services: [TrustedService] = []

  /// One list.
  public struct State: Sendable, Equatable {
    /// Two capital letters; `EU` for the list of lists.
    public let territory: String
    /// Its address; nil if the list of lists does not name it.
    public let location: String?
    /// The end of its update.
    public let change: Change
    /// The facts of the list that counts now; nil if there is none.
    public let facts: Facts?
  }

  /// The end of the update of a list.
  public enum Change: Sendable, Equatable {
    case new, unchanged
    /// The stored one stays, because the other one is not taken.
    case kept(TrustedListProblem)
    /// There is none.
    case missing(TrustedListProblem)
  }

  /// The facts of a verified list.
  public struct Facts: Sendable, Equatable {
    /// TSLSequenceNumber (ETSI TS 119 612 §5.3.2).
    public let sequenceNumber: Int
    /// The time of issue.
    public let issued: UTCTime
    /// The time by which there is a newer one; nil if the list is closed.
    public let nextUpdate: UTCTime?
    /// The services of the kinds that count for signatures, in their order.
    public let services: [Service]

    /// True if there should be a newer one, or the list is closed.
    public func isOld(at time: UTCTime) -> Bool { nextUpdate.map { $0 < time } ?? true }
  }

  /// A service, as it is now.
  public struct Service: Sendable, Hashable {
    /// The provider's name, in Italian or English.
    public let provider: String
    /// The service's name, in Italian or English.
    public let name: String
    /// The type, by the end of its URI: `CA/QC` and so on.
    public let kind: String
    /// The status, by the last word of its URI.
    public let status: String
    /// The start of this status.
    public let start: UTCTime
  }
}

extension TrustedListOutcome.Facts {
  init(_ list: TrustedList) {
    self.init(
      sequenceNumber: list.sequenceNumber, issued: list.issued, nextUpdate: list.nextUpdate,
      services: list.services.compactMap(TrustedListOutcome.Service.init))
  }
}

extension TrustedListOutcome.Service {
  /// Nil for a service without a state.
  init?(_ service: TrustedService) {
    guard let now = service.periods.first else { return nil }
    self.init(
      provider: service.provider, name: now.name, kind: now.kind.rawValue,
      status: now.status.rawValue, start: now.start)
  }
}
