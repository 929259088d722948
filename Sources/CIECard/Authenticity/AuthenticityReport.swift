/// What could be proved of a card's authenticity, point by point.
///
/// Passive: the security object's signature, the way from its signer to a CSCA, the hashes of the files. Active:
/// the chip signed a fresh challenge with a key whose public half is among those files. Only both together tell a
/// chip from a copy of its files. Revocation is not known to any of it.
public struct AuthenticityReport: Sendable, Equatable {
  /// The points, always in the order of `Kind`, the free files among the hashes in any case and the others where
  /// they were read.
  public let points: [Point]

  /// The outcome as a whole.
  public enum Outcome: Sendable, Equatable {
    /// Everything that it takes was checked and holds.
    case proved
    /// Something was checked and does not hold.
    case `false`
    /// Nothing is false, but something that it takes could not be checked.
    case couldNotCheck
  }

  /// What it takes to call a card genuine. The other points only have to be not false.
  static let required: Set<Kind> = [
    .signature, .signerChain, .signerValidity, .hash(.servicesNumber), .hash(.servicesKey),
    .challenge,
  ]

  /// The outcome as a whole: false when any point is; proved when the signature, its chain and validity, the
  /// hashes of services number and services key, and the challenge are; else it could not be checked.
  public var outcome: Outcome {
    let isFalse = points.contains { if case .false = $0.verdict { true } else { false } }
    if isFalse { return .false }
    let proved = points.filter { $0.verdict == .proved }.map { $0.kind }
    return Self.required.isSubset(of: proved) ? .proved : .couldNotCheck
  }

  /// Whether the chip proved that it holds the private key to the services key it showed.
  ///
  /// Where it did not, all the rest could come from a copy of the files. Where it did, that key is the state's
  /// choice only if signature, chain and the hash of the services key are proved too.
  public var chipHoldsKey: Bool { self[.challenge] == .proved }

  /// What came of a point; `nil` when it was not looked at.
  public subscript(kind: Kind) -> Verdict? {
    points.first { $0.kind == kind }?.verdict
  }
}
