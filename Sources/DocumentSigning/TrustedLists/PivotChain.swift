internal import CIECard
internal import Primitives

/// The way from the signers in the Official Journal, or others that are given, to those of a list of lists: its pivots, each of
/// which names the signers of the next (ETSI TS 119 615 §4.1).
struct PivotChain {
  /// A pivot and its key among the stored documents.
  struct Pivot: Sendable, Equatable {
    let url: String
    let key: String
  }

  /// More are not asked for: there were five from 2019 to 2026.
  private static let mostPivots = 16

  /// The oldest first.
  let pivots: [Pivot]
  private let start: Set<[UInt8]>

  /// - Parameters:
  ///   - addresses: the addresses of information in the list, in which the newest pivot stands first, and the notice behind
  ///     the pivots that came after it.
  ///   - signers: nil for those of the notices at this time.
  init(_ addresses: [String], signers: Set<[UInt8]>?, at time: UTCTime) {
    let notices = signers == nil ? SignerNotice.all(at: time) : []
    let named = addresses.lazy.compactMap { address in notices.first { $0.address == address } }
      .first
    start =
      signers ?? named?.signers ?? notices.reduce(into: []) { $0.formUnion($1.signers) }
    let newer = named.map { notice in addresses.prefix { $0 != notice.address } } ?? addresses[...]
    var keys: Set<String> = []
    pivots = newer.compactMap { address -> Pivot? in
      guard let key = Self.key(of: address), keys.insert(key).inserted else { return nil }
      return Pivot(url: address, key: key)
    }.prefix(Self.mostPivots).reversed()
  }

  /// The key of an address that ends with `-pivot-NUMBER.xml`.
  private static func key(of address: String) -> String? {
    guard address.hasSuffix(".xml"),
      let word = address.dropLast(4).parts(between: "-pivot-").dropFirst().last.map(String.init),
      !word.isEmpty, let number = ListValue.number(word)
    else { return nil }
    return "EU-\(number)"
  }

  /// The signers of the list, once all pivots are verified. Pivots older than the first that the start signed are not needed.
  ///
  /// - Parameter documents: the pivots, by their keys.
  func signers(_ documents: [String: [UInt8]]) throws(TrustedListProblem) -> Set<[UInt8]> {
    var signers = start
    var last: Int?
    for pivot in pivots {
      guard let document = documents[pivot.key] else { throw .notListed }
      do throws(TrustedListProblem) {
        let list = try TrustedList(document, by: signers)
        guard list.kind == .listOfLists, list.sequenceNumber > last ?? 0 else { throw .otherList }
        (signers, last) = (list.nextSigners, list.sequenceNumber)
      } catch {
        guard last == nil, case .otherSigner = error else { throw error }
      }
    }
    return signers
  }
}
