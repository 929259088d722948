import CIECard
public import Primitives

/// The members of a list after an update, for scripts.
extension TrustedListOutcome.State: StableObject, Encodable {
  package static let facts: [Fact<TrustedListOutcome.State>] = [
    Fact("territory", \.territory, note: "Two capital letters; EU for the list of lists."),
    Fact("address", \.location),
    Fact("change", \.word).of {
      .words(["new", "unchanged", "kept", "missing"]).noted(
        "The end of its update: kept is the stored one, because the other one was not taken.")
    },
    Fact("reason", \.reason, note: "The name of the error because of which it was not taken."),
    Fact("sequenceNumber") { $0.facts?.sequenceNumber }, Fact("issued") { $0.facts?.issued },
    Fact("nextUpdate", { $0.facts?.nextUpdate }, note: "A newer one is due by then."),
    Fact("services", { $0.facts?.services.count }, note: "The number of those that count."),
  ]

  /// The reason why the other list was not taken; nil if it was, or is the same.
  public var problem: TrustedListProblem? {
    switch change {
    case .new, .unchanged: nil
    case .kept(let problem), .missing(let problem): problem
    }
  }

  private var reason: String? { problem.map { Diagnosis($0, territory: territory).name } }

  /// The end of its update, for scripts.
  package var word: String {
    switch change {
    case .new: "new"
    case .unchanged: "unchanged"
    case .kept: "kept"
    case .missing: "missing"
    }
  }

  /// Encodes the list's numbers and times, and the end of its update in stable words.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension TrustedListOutcome.Service: StableObject, Encodable {
  package static let facts: [Fact<TrustedListOutcome.Service>] = [
    Fact("provider", \.provider), Fact("name", \.name),
    Fact("type", \.kind, note: "The end of its URI (ETSI TS 119 612 §5.5.1)."),
    Fact("status", \.status), Fact("since", \.start),
  ]

  /// Encodes `provider`, `name`, `type`, `status` and `since`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
