public import Primitives

/// The members of a report for scripts. `cie-read --json` prints the same ones, with texts for people.
extension AuthenticityReport: StableObject, Encodable {
  package static let facts: [Fact<AuthenticityReport>] = [
    Fact("outcome", \.outcome), Fact("cloning", \.cloning), Fact("points", \.points),
  ]

  /// Encodes `outcome`, `cloning` and `points`, in stable words.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AuthenticityReport.Point: StableObject, Encodable {
  package static let definition: String? = "point"
  package static let facts: [Fact<AuthenticityReport.Point>] = [
    Fact("point", \.kind.word), Fact("verdict", \.verdict.word),
    Fact("reason", { $0.reason?.name }, note: "A word for scripts."),
  ]

  /// Encodes `point`, `verdict` and `reason`, in stable words; `reason` is null where there is none.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AuthenticityReport.Outcome: StableWord {
  package static let definition: String? = "outcome"
  package static let words = ["proved", "false", "known-production-fault", "could-not-check"]
}

extension AuthenticityReport.Cloning: StableWord {
  package static let definition: String? = "cloning"
  package static let note: String? = "Whether the card could be a clone."
  package static let words = ["excluded", "possible", "not-judged"]
}
