public import CIECard
public import Primitives

/// An update of trusted lists: the list of lists with its pivots, then the lists of states. The caller gets the documents.
///
/// A list is taken only if its signature and its numbers are right; the stored one, which is verified again, stays otherwise.
public struct TrustedListUpdate: Sendable {
  /// The address of the list of lists (Official Journal C/2026/1944).
  public static let listOfLists = "https://ec.europa.eu/tools/lotl/eu-lotl.xml"

  /// The most bytes of a list: more are refused.
  public static let longestList = 32 << 20

  /// A list that says that it is issued later than this many seconds from now is refused; clocks differ, and Italy's list has
  /// the day of its signature.
  static let tolerance: Int64 = 86400

  private enum Stage {
    case listOfLists
    /// A list of lists that may need pivots that are not here.
    case pivots([UInt8], [PivotChain.Pivot])
    case nations([String])
    case end
  }

  private let stored: [String: [UInt8]]
  /// Nil for all that the list of lists names.
  private let countries: [String]?
  private let signers: Set<[UInt8]>?
  private let address: String
  private let time: UTCTime
  private var stage = Stage.listOfLists
  /// The pivots that came, by their keys.
  private var pivots: [String: [UInt8]] = [:]
  private var listOfLists: TrustedList?
  private var state = TrustedListOutcome()

  /// - Parameters:
  ///   - stored: the documents of an earlier outcome; empty the first time.
  ///   - countries: the states whose lists are wanted, two capital letters each; nil for all.
  ///   - signers: may sign the list of lists or its oldest pivots, in place of those of the Official Journal.
  ///   - listOfLists: its address; nil for the Commission's.
  ///   - time: now.
  public init(
    stored: [String: [UInt8]], countries: Set<String>? = ["IT"], signers: [Certificate]? = nil,
    listOfLists: String? = nil, at time: UTCTime = .now
  ) {
    self.stored = stored
    self.countries = countries?.subtracting(["EU"]).sorted()
    self.signers = signers.map { list in
      Set(list.compactMap { try? HashAlgorithm.sha256.hash($0.der) })
    }
    address = listOfLists ?? Self.listOfLists
    self.time = time
    state.documents = stored
  }

  /// Verifies stored documents again, without requests.
  ///
  /// - Parameters:
  ///   - stored: the documents of an earlier outcome.
  ///   - signers: as for the update that brought them.
  ///   - time: now.
  public static func read(
    _ stored: [String: [UInt8]], signers: [Certificate]? = nil, at time: UTCTime = .now
  ) -> TrustedListOutcome {
    var update = TrustedListUpdate(
      stored: stored, countries: Set(stored.keys.filter { $0.utf8.count == 2 }), signers: signers,
      at: time)
    while update.next() != nil { update.answer(nil) }
    return update.outcome()
  }

  /// The request whose answer is wanted next; nil if there is none.
  public func next() -> TrustedListRequest? {
    switch stage {
    case .listOfLists: TrustedListRequest(url: address, key: "EU")
    case .pivots(_, let missing):
      missing.first.map { TrustedListRequest(url: $0.url, key: $0.key) }
    case .nations(let territories):
      territories.first.flatMap { territory in
        pointer(to: territory).map { TrustedListRequest(url: $0.location, key: territory) }
      }
    case .end: nil
    }
  }

  /// Takes a document; nil if it was not modified since the stored one.
  public mutating func answer(_ document: [UInt8]?) {
    switch stage {
    case .listOfLists: take(document)
    case .pivots(let list, var missing):
      guard let document else { return settle(.notListed) }
      pivots[missing.removeFirst().key] = document
      if missing.isEmpty { settle(list) } else { stage = .pivots(list, missing) }
    case .nations(let territories):
      if let territory = territories.first { settle(territory, document, nil) }
    case .end: return
    }
  }

  /// States that there is no answer to the request that is wanted.
  public mutating func fail(_ diagnosis: Diagnosis) {
    switch stage {
    case .listOfLists, .pivots: settle(.unreachable(diagnosis))
    case .nations(let territories):
      if let territory = territories.first { settle(territory, nil, .unreachable(diagnosis)) }
    case .end: return
    }
  }

  /// The lists so far; whole once nothing is wanted.
  public func outcome() -> TrustedListOutcome { state }
}

/// The list of lists.
extension TrustedListUpdate {
  private func chain(of addresses: [String]) -> PivotChain {
    PivotChain(addresses, signers: signers, at: time)
  }

  private mutating func take(_ document: [UInt8]?) {
    guard let document = document ?? stored["EU"] else { return settle(.notListed) }
    do throws(TrustedListProblem) {
      let list = try TrustedList(unverified: ListDocument(document))
      // Another server is not asked, because the list that names it is not verified yet: a mirror has them beside the list.
      let server = address.split(separator: "/").prefix(2).joined(separator: "//") + "/"
      let missing = chain(of: list.addresses).pivots.filter { stored[$0.key] == nil }
        .map { pivot in
          pivot.url.hasPrefix(server)
            ? pivot : PivotChain.Pivot(url: Self.beside(address, pivot.url), key: pivot.key)
        }
      if missing.isEmpty { settle(document) } else { stage = .pivots(document, missing) }
    } catch { settle(error) }
  }

  /// The address in the folder of another one that has the same last part.
  private static func beside(_ address: String, _ other: String) -> String {
    let name = other.split(separator: "/").last ?? ""
    return address.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/" + name
  }

  /// The list in a document, if it is verified with the pivots that are here, and fits.
  private func verified(
    _ document: [UInt8]
  ) throws(TrustedListProblem) -> (list: TrustedList, documents: [String: [UInt8]]) {
    let addresses = try TrustedList(unverified: ListDocument(document)).addresses
    let chain = chain(of: addresses)
    var documents = ["EU": document]
    for key in chain.pivots.map(\.key) { documents[key] = pivots[key] ?? stored[key] }
    let list = try TrustedList(document, by: chain.signers(documents))
    try check(list, .listOfLists, "EU")
    return (list, documents)
  }

  /// Ends the update of the list of lists with a document.
  private mutating func settle(_ document: [UInt8]) {
    do throws(TrustedListProblem) {
      let (list, documents) = try verified(document)
      let old = stored["EU"].flatMap { $0 == document ? nil : try? verified($0).list }
      try check(list, isNotOlderThan: old)
      accept(list, documents, stored["EU"] == document ? .unchanged : .new)
    } catch { settle(error) }
  }

  /// Ends it without one.
  private mutating func settle(_ problem: TrustedListProblem) {
    guard let document = stored["EU"], let (list, documents) = try? verified(document) else {
      state.lists.append(
        .init(territory: "EU", location: address, change: .missing(problem), facts: nil))
      return goOn(to: wanted)
    }
    accept(list, documents, .kept(problem))
  }

  private mutating func accept(
    _ list: TrustedList, _ documents: [String: [UInt8]], _ change: TrustedListOutcome.Change
  ) {
    listOfLists = list
    state.documents.merge(documents) { $1 }
    state.lists.append(
      .init(territory: "EU", location: address, change: change, facts: .init(list)))
    goOn(to: wanted)
  }
}

/// The lists of states.
extension TrustedListUpdate {
  private func pointer(to territory: String) -> TrustedList.Pointer? {
    listOfLists?.pointers.first { $0.kind == .national && $0.territory == territory }
  }

  private var wanted: [String] {
    countries
      ?? Set((listOfLists?.pointers ?? []).filter { $0.kind == .national }.map(\.territory))
      .sorted()
  }

  /// Goes to the first state whose list can be asked for.
  private mutating func goOn(to territories: [String]) {
    let unknown = territories.prefix { pointer(to: $0) == nil }
    for territory in unknown {
      state.lists.append(
        .init(territory: territory, location: nil, change: .missing(.notListed), facts: nil))
    }
    let rest = Array(territories.dropFirst(unknown.count))
    stage = rest.isEmpty ? .end : .nations(rest)
  }

  private func verified(
    _ document: [UInt8], of territory: String, _ pointer: TrustedList.Pointer
  ) throws(TrustedListProblem) -> TrustedList {
    let list = try TrustedList(document, by: pointer.signers)
    try check(list, .national, territory)
    return list
  }

  /// Ends the update of a list.
  ///
  /// - Parameter document: nil for the stored one.
  private mutating func settle(
    _ territory: String, _ document: [UInt8]?, _ reason: TrustedListProblem?
  ) {
    guard let pointer = pointer(to: territory) else { return }
    let kept = stored[territory]
    let old = kept.flatMap { try? verified($0, of: territory, pointer) }
    var (list, change, chosen) = (old, TrustedListOutcome.Change.unchanged, kept)
    do throws(TrustedListProblem) {
      if let reason { throw reason }
      if let document, document != kept {
        let new = try verified(document, of: territory, pointer)
        try check(new, isNotOlderThan: old)
        (list, change, chosen) = (new, .new, document)
      } else if let kept, old == nil {
        _ = try verified(kept, of: territory, pointer)
      } else if old == nil {
        throw .notListed
      }
    } catch { change = old == nil ? .missing(error) : .kept(error) }
    state.lists.append(
      .init(
        territory: territory, location: pointer.location, change: change,
        facts: list.map { .init($0) }))
    if let list {
      state.documents[territory] = chosen
      state.services += list.services
    }
    if case .nations(let territories) = stage { goOn(to: Array(territories.dropFirst())) }
  }

  private func check(
    _ list: TrustedList, _ kind: TrustedList.Kind, _ territory: String
  ) throws(TrustedListProblem) {
    guard list.kind == kind, list.territory == territory else { throw .otherList }
    guard list.issued.seconds <= time.seconds + Self.tolerance else { throw .future(list.issued) }
  }

  private func check(
    _ list: TrustedList, isNotOlderThan old: TrustedList?
  ) throws(TrustedListProblem) {
    guard let old else { return }
    guard list.sequenceNumber >= old.sequenceNumber, list.issued >= old.issued else {
      throw .older(number: list.sequenceNumber, stored: old.sequenceNumber)
    }
  }
}
