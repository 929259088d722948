internal import CIECard
public import Primitives

extension TrustedListOutcome {
  /// The index of the services of all verified lists, the file that `TrustedServices` reads.
  ///
  /// - Parameters:
  ///   - time: the time of the update.
  ///   - earlier: the lists before it: one that was kept was asked for then.
  public func index(
    at time: UTCTime, after earlier: [ListState] = []
  ) throws(CryptoError) -> [UInt8] {
    let states = lists.compactMap { list -> ListState? in
      guard let facts = list.facts else { return nil }
      let fetched: UTCTime =
        switch list.change {
        case .new, .unchanged: time
        case .kept, .missing:
          earlier.first { $0.territory == list.territory }?.fetched ?? facts.issued
        }
      return ListState(
        territory: list.territory, sequenceNumber: facts.sequenceNumber, issued: facts.issued,
        nextUpdate: facts.nextUpdate, fetched: fetched)
    }
    return try ServiceIndex.bytes(of: services, lists: states)
  }
}

extension TrustedServices {
  /// The services of all lists as they are now, by the territory of their list, in the order of their providers and
  /// names. The whole index is read, once.
  public func servicesByTerritory() throws(ServiceIndexError)
    -> [String: [TrustedListOutcome.Service]]
  {
    var found: [String: Set<TrustedListOutcome.Service>] = [:]
    try forEach { service in
      guard let now = TrustedListOutcome.Service(service) else { return }
      found[service.territory, default: []].insert(now)
    }
    return found.mapValues { services in
      services.sorted { ($0.provider, $0.name, $0.kind) < ($1.provider, $1.name, $1.kind) }
    }
  }
}
